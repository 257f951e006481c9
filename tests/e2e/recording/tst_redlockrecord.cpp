// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/recordqueries.h"
#include "backend/session/deploymentkey.h"
#include "tests/e2e/program.h"
#include "tests/support/hookserver.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <array>
#include <csignal>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

/// `lockkeeper record` raises alerts about a lock that several servers hold together, and records
/// it.
class TestRedlockRecord : public QObject
{
    Q_OBJECT

private:
    static constexpr int patience = 60'000;

    QByteArray event(size_t i) const
    {
        return QJsonDocument::fromJson(m_hook.requests()[i].body)[u"event"_s].toString().toLatin1();
    }
    bool write(const QString& path)
    {
        QStringList urls;
        for (const test::RedisServer& server : m_servers)
            urls << u"'%1'"_s.arg(server.urlText());
        QFile file(path);
        return file.open(QIODevice::WriteOnly) &&
               file.write(
                   u"[[redlock]]\nservers = [%1]\nmatch = 'lock:*'\n"
                   "[alerts]\nbuilt_in = false\nnotify = ['hook']\n"
                   "[[alert]]\nwhen = 'redlock-split'\n"
                   "[notify.hook]\nwebhook = 'http://127.0.0.1:%2/x'\n"_s.arg(urls.join(u", "_s))
                       .arg(m_hook.port())
                       .toUtf8()) > 0;
    }
    // Codes of the findings that were open at that moment.
    QByteArrayList openAt(const QString& file, qint64 tMs) const
    {
        RecordQueries queries(file);
        QByteArrayList codes;
        if (!queries.open())
            return codes;
        const RecordedMoment moment =
            queries.momentAt(recordedDeployment(m_servers[0].url(), nullptr).key, tMs);
        for (const RecordedFinding& found : moment.findings)
            codes << found.finding.code + ' ' + found.finding.name;
        return codes;
    }

    std::array<test::RedisServer, 3> m_servers;
    test::HookServer m_hook;

private slots:
    void initTestCase()
    {
        for (test::RedisServer& server : m_servers)
            QVERIFY2(server.start(), server.output());
        QVERIFY(m_hook.listen());
    }

    void alertsAndKeepsIt()
    {
        m_servers[0].run({"SET", "lock:a", "worker-1", "PX", "600000"});
        m_servers[1].run({"SET", "lock:a", "worker-2", "PX", "600000"});
        Program program;
        const QString config = program.home() + u"/c.toml"_s;
        const QString store = program.home() + u"/history.db"_s;
        QVERIFY(write(config));
        QVERIFY(program.start({u"record"_s, m_servers[0].urlText(), m_servers[1].urlText(),
                               u"--config"_s, config, u"--store"_s, store}));
        // Two deployments with one configuration raise the alert once.
        QTRY_COMPARE_WITH_TIMEOUT(m_hook.requests().size(), size_t(1), patience);
        QCOMPARE(event(0), QByteArray("fired"));
        QVERIFY2(m_hook.requests()[0].body.contains("lock:a"),
                 m_hook.requests()[0].body.constData());
        const auto openNow = [&] { return openAt(store, QDateTime::currentMSecsSinceEpoch()); };
        QTRY_COMPARE_WITH_TIMEOUT(openNow(), QByteArrayList{"redlock-split lock:a"}, patience);
        const qint64 thenMs = QDateTime::currentMSecsSinceEpoch();
        m_servers[1].run({"SET", "lock:a", "worker-1", "PX", "600000"});
        QTRY_COMPARE_WITH_TIMEOUT(m_hook.requests().size(), size_t(2), patience);
        QCOMPARE(event(1), QByteArray("resolved"));
        QTRY_COMPARE_WITH_TIMEOUT(openNow(), QByteArrayList(), patience);
        QCOMPARE(openAt(store, thenMs), QByteArrayList{"redlock-split lock:a"});
        program.process.terminate();
        QVERIFY(program.waitForEnd());
        QVERIFY2(program.exitCode() == 0, program.err().constData());
    }
};

LK_TEST(TestRedlockRecord);
#include "tst_redlockrecord.moc"
