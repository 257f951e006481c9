// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/keyname.h"
#include "tests/e2e/program.h"
#include "tests/support/faultserver.h"
#include "tests/support/hostiletexts.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QJsonDocument>

using namespace lk;
using namespace Qt::StringLiterals;
using test::hostile;
using test::oddCharacters;
using test::Program;

/// A server's replies and data aim at the user's terminal: none of them has an effect there.
class TestHostile : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init()
    {
        m_server.flush();
        m_server.run({"SET", lockName, "own" + hostile, "PX", "600000"});
        m_server.run({"SET", "lock:b" + hostile, hostile}); // no TTL: a finding
        m_server.run({"RPUSH", "jobs" + hostile, hostile, "b"});
        m_server.run({"RPUSH", "jobs" + hostile + ":processing", hostile});
        m_server.run({"SET", "code:" + hostile + "c17bd6e5f4a1b2c3", hostile, "PX", "600000"});
        m_server.run({"HSET", "user_token:" + hostile + "9a", "used_by", "1"});
        m_server.run({"ZADD", "z:rl:resource:12" + hostile, "1700000000", "104768"});
        m_server.run({"ZADD", "z:rl:resource:12" + hostile + ":consumer:" + hostile, "1700000000",
                      "104768"});
        m_server.run({"RPUSH", "pagewviews.user:" + hostile, "/a" + hostile, "/b"});
        m_server.run({"EXPIRE", "pagewviews.user:" + hostile, "600"});
        m_server.run({"ZADD", "weights" + hostile, "0.5", hostile, "1", "b"});
        m_server.run({"RPUSH", "wrong" + hostile, "no string"});
    }

    void info_data()
    {
        QTest::addColumn<QString>("line");
        for (const char* line : {"snapshot", "snapshot --format json", "check",
                                 "check --format json", "check --format prometheus"})
            QTest::newRow(line) << QString::fromLatin1(line);
    }
    void info()
    {
        QFETCH(QString, line);
        test::FaultServer server;
        server.answer("INFO", test::hostileInfo());
        server.answer("TIME", "*2\r\n$10\r\n1700000000\r\n$1\r\n0\r\n");
        server.answer("DBSIZE", ":0\r\n");
        server.answer("SCAN", "*2\r\n$1\r\n0\r\n*0\r\n");
        Program program;
        QVERIFY(program.run(words(line, server.url().withoutPassword())));
        const QByteArray out = program.out();
        QVERIFY2(program.exitCode() != 2 || !program.err().isEmpty(), "says why");
        QVERIFY2((out + program.err()).contains("x1b"), (out + program.err()).constData());
        QCOMPARE(oddCharacters(out + program.err()), QStringList());
        if (line.contains(u"json"_s))
            QVERIFY(!QJsonDocument::fromJson(out).isNull());
    }

    void errors_data()
    {
        QTest::addColumn<QByteArray>("command");
        QTest::addColumn<QByteArray>("answer");
        for (const char* command : {"PING", "TIME", "SCAN", "INFO", "DBSIZE", "CLIENT"}) {
            QTest::newRow(command) << QByteArray(command) << "-ERR " + hostile + "\r\n";
            const QByteArray row = QByteArray(command) + " refused";
            QTest::newRow(row.constData()) << QByteArray(command) << "-NOPERM " + hostile + "\r\n";
        }
        QTest::newRow("no protocol") << QByteArray("PING") << hostile + "\r\n";
        QTest::newRow("word") << QByteArray("PING") << "-" + hostile + "\r\n";
        QTest::newRow("status") << QByteArray("TIME") << "+" + hostile + "\r\n";
    }
    void errors()
    {
        QFETCH(QByteArray, command);
        QFETCH(QByteArray, answer);
        test::FaultServer server;
        server.answer("TIME", "*2\r\n$10\r\n1700000000\r\n$1\r\n0\r\n");
        server.answer("SCAN", "*2\r\n$1\r\n0\r\n*0\r\n");
        server.answer(command, answer);
        for (const char* line : {"snapshot", "check --format json"}) {
            Program program;
            QVERIFY(program.run(words(QString::fromLatin1(line), server.url().withoutPassword())));
            const QByteArray said = program.out() + program.err();
            QVERIFY(!said.isEmpty());
            QCOMPARE(oddCharacters(said), QStringList());
            QVERIFY(program.err().count('\n') <= 1);
        }
    }

    void names_data() { info_data(); }
    void names()
    {
        QFETCH(QString, line);
        Program program;
        const QString path = program.home() + u"/c.toml"_s;
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[[lock]]\nkey = \"wrong*\"\nlayout = \"set-nx-px\"\n"
                   "[[pattern]]\nkey = \"weights*\"\nlayout = \"weighted-set\"\n");
        file.close();
        QVERIFY(program.run(words(line, m_server.urlText()) + QStringList{u"--config"_s, path}));
        const QByteArray out = program.out();
        QVERIFY2(program.exitCode() < 2, program.err().constData());
        QCOMPARE(oddCharacters(out + program.err()), QStringList());
        if (line == u"snapshot"_s)
            QVERIFY2(out.contains("lock:a\\x1b[31m"), out.constData());
        if (line.contains(u"json"_s))
            QVERIFY(!QJsonDocument::fromJson(out).isNull());
    }

    void acting()
    {
        Program first;
        const QString name = displayName(lockName);
        const QString owner = displayName("own" + hostile);
        QString receipt;
        for (const QStringList& rest :
             {QStringList{u"lock"_s, u"release"_s, name, u"--owner"_s, u"somebody"_s, u"--yes"_s},
              QStringList{u"lock"_s, u"release"_s, name, u"--owner"_s, owner, u"--dry-run"_s},
              QStringList{u"lock"_s, u"release"_s, name, u"--owner"_s, owner, u"--yes"_s,
                          u"--reason"_s, u"\u202e\u2028why"_s},
              QStringList{u"lock"_s, u"release"_s, u"\u202e\u2028none"_s, u"--owner"_s, u"x"_s,
                          u"--yes"_s},
              QStringList{u"queue"_s, u"requeue"_s, displayName("jobs" + hostile), u"--all"_s,
                          u"--yes"_s},
              QStringList{u"journal"_s}, QStringList{u"journal"_s, u"--json"_s}}) {
            Program program;
            program.set("XDG_DATA_HOME", first.home());
            QVERIFY(program.run(QStringList{u"act"_s, m_server.urlText()} + rest));
            const QByteArray said = program.out() + program.err();
            QVERIFY2(!said.isEmpty() && program.exitCode() < 2, said.constData());
            QCOMPARE(oddCharacters(said), QStringList());
        }
        QCOMPARE(m_server.run({"EXISTS", lockName}).integer, 0);
    }

    // The user who writes the journal's file may be another one than the user who reads it.
    void theJournal()
    {
        Program program;
        const QString folder = program.home() + u"/lockkeeper/lockkeeper"_s;
        QVERIFY(QDir().mkpath(folder));
        QFile file(folder + u"/journal.jsonl"_s);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray evil = "\\u001b[31m\\u202e\\u2028";
        file.write("{\"entry\":\"sending\",\"receipt\":\"r1\",\"action\":\"lock.release" + evil +
                   "\",\"name\":\"" + evil + "\",\"keys\":[\"" + evil + "\"],\"who\":\"" + evil +
                   "\",\"host\":\"" + evil + "\",\"reason\":\"" + evil + "\",\"guard\":\"" + evil +
                   "\",\"endpoint\":\"" + m_server.url().endpoint().toUtf8() + "\"}\n" +
                   "{\"entry\":\"came\",\"receipt\":\"r1\",\"outcome\":\"done\",\"text\":\"" +
                   evil + "\",\"before\":[{\"key\":\"" + evil + "\",\"type\":\"" + evil +
                   "\"}]}\n");
        file.close();
        for (const char* rest : {"journal", "journal --json"}) {
            Program reading;
            reading.set("XDG_DATA_HOME", program.home());
            QVERIFY(reading.run(QStringList{u"act"_s, m_server.urlText()} +
                                QString::fromLatin1(rest).split(u' ')));
            QVERIFY2(reading.out().contains("r1"), reading.err().constData());
            QCOMPARE(oddCharacters(reading.out() + reading.err()), QStringList());
        }
    }

private:
    static QStringList words(const QString& line, const QString& url)
    {
        QStringList all = line.split(u' ');
        all.insert(1, url);
        return all;
    }

    const QByteArray lockName = "lock:a" + hostile;
    test::RedisServer m_server;
};

LK_TEST(TestHostile);
#include "tst_hostile.moc"
