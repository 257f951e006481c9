// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/hookserver.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QJsonDocument>
#include <QRegularExpression>
#include <QTcpSocket>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

// `lockkeeper record` as a service: alerts, /metrics, the signals of a service manager.
class TestRecordServices : public QObject
{
    Q_OBJECT

private:
    static constexpr int patience = 30'000;

    static bool write(const QString& path, const QByteArray& text)
    {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    }
    QByteArray toml(const QByteArray& rules) const
    {
        return "[alerts]\nbuilt_in = false\nnotify = ['hook']\n" + rules +
               "[notify.hook]\nwebhook = 'http://127.0.0.1:" + QByteArray::number(m_hook.port()) +
               "/x'\nsecret_env = 'LK_E2E_SECRET'\n";
    }
    QByteArray event(size_t i) const
    {
        return QJsonDocument::fromJson(m_hook.requests()[i].body)[u"event"_s].toString().toLatin1();
    }
    static quint16 portOf(Program& program)
    {
        static const QRegularExpression serving(u"http://127\\.0\\.0\\.1:(\\d+)/metrics"_s);
        quint16 port = 0;
        (void)QTest::qWaitFor(
            [&] {
                port =
                    quint16(serving.match(QString::fromUtf8(program.err())).captured(1).toUInt());
                return port != 0;
            },
            patience);
        return port;
    }
    static QByteArray get(quint16 port, const QByteArray& path)
    {
        QTcpSocket socket;
        socket.connectToHost(u"127.0.0.1"_s, port);
        if (!socket.waitForConnected(patience))
            return {};
        socket.write("GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n");
        QByteArray all;
        while (socket.waitForReadyRead(patience))
            all += socket.readAll();
        return all;
    }

    test::RedisServer m_redis;
    test::HookServer m_hook;

private slots:
    void initTestCase()
    {
        QVERIFY2(m_redis.start(), m_redis.output());
        QVERIFY(m_hook.listen());
    }

    void servesAlertsReloadsAndEnds()
    {
        m_redis.lines({"FLUSHALL", "SET lock:orphan me"});
        Program program;
        const QString config = program.home() + u"/lockkeeper.toml"_s;
        QVERIFY(write(config, toml("[[alert]]\nwhen = 'lock-without-ttl'\n")));
        program.set("XDG_STATE_HOME", program.home());
        program.set("LK_E2E_SECRET", u"S3CRET"_s);
        QVERIFY(program.start({u"record"_s, m_redis.urlText(), u"--config"_s, config, u"--listen"_s,
                               u"127.0.0.1:0"_s}));
        const quint16 port = portOf(program);
        QVERIFY2(port != 0, program.err().constData());
        QTRY_COMPARE_WITH_TIMEOUT(m_hook.requests().size(), size_t(1), patience);
        QCOMPARE(event(0), QByteArray("fired"));
        QVERIFY(m_hook.requests()[0].headers.value("lockkeeper-signature").startsWith("v1="));
        QTRY_VERIFY_WITH_TIMEOUT(
            get(port, "/metrics").contains(",severity=\"warning\",state=\"unattended\"} 1\n"),
            patience);
        QVERIFY(get(port, "/metrics").contains("\nlockkeeper_up{"));
        QVERIFY(get(port, "/healthz").endsWith("\r\n\r\nok\n"));

        // A wrong configuration is reported and not applied.
        QVERIFY(write(config, "[[alert]]\nwhen = 'nothing'\n"));
        ::kill(pid_t(program.process.processId()), SIGHUP);
        QTRY_VERIFY_WITH_TIMEOUT(program.err().contains("Configuration not applied"), patience);
        QVERIFY(get(port, "/metrics").contains("state=\"unattended\"} 1\n"));
        QVERIFY(write(config, toml("")));
        ::kill(pid_t(program.process.processId()), SIGHUP);
        QTRY_COMPARE_WITH_TIMEOUT(m_hook.requests().size(), size_t(2), patience);
        QCOMPARE(event(1), QByteArray("resolved"));

        program.process.terminate();
        QVERIFY(program.waitForEnd());
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        QVERIFY(!program.err().contains("S3CRET"));
        QVERIFY(QFile::exists(program.home() + u"/lockkeeper/alerts.db"_s));
    }

    void wrongAddressesAreRefused_data()
    {
        QTest::addColumn<QString>("address");
        QTest::newRow("name") << u"example.com:80"_s;
        QTest::newRow("no port") << u"127.0.0.1"_s;
        QTest::newRow("not of this machine") << u"192.0.2.1:9877"_s;
    }
    void wrongAddressesAreRefused()
    {
        QFETCH(QString, address);
        Program program;
        QVERIFY(program.run({u"record"_s, m_redis.urlText(), u"--listen"_s, address}));
        QCOMPARE(program.exitCode(), 2);
        QVERIFY2(program.err().contains(address.toUtf8()), program.err().constData());
        QCOMPARE(program.err().count('\n'), 1);
    }

    void aTestReallySends()
    {
        Program program;
        const QString config = program.home() + u"/lockkeeper.toml"_s;
        QVERIFY(write(config, toml("")));
        program.set("LK_E2E_SECRET", u"S3CRET"_s);
        const size_t before = m_hook.requests().size();
        QVERIFY(program.run({u"record"_s, u"--test-notify"_s, u"hook"_s, u"--config"_s, config}));
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        QVERIFY2(program.out().contains("hook: the test notification was delivered"),
                 program.out().constData());
        QCOMPARE(m_hook.requests().size(), before + 1);
        QCOMPARE(event(before), QByteArray("test"));
        m_hook.answer({"403 No"});
        Program refused;
        QVERIFY(write(refused.home() + u"/l.toml"_s, toml("")));
        refused.set("LK_E2E_SECRET", u"S3CRET"_s);
        QVERIFY(refused.run({u"record"_s, u"--test-notify"_s, u"hook"_s, u"--config"_s,
                             refused.home() + u"/l.toml"_s}));
        QCOMPARE(refused.exitCode(), 2);
        QVERIFY2(refused.err().contains("HTTP 403"), refused.err().constData());
    }
};

LK_TEST(TestRecordServices);
#include "tst_recordservices.moc"
