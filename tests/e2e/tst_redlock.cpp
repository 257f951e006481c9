// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/redisserver.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <array>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

/// lockkeeper redlock, on five real servers.
class TestRedlockCommand : public QObject
{
    Q_OBJECT

private:
    static constexpr int size = 5;
    std::array<test::RedisServer, size> m_servers;
    QTemporaryDir m_folder;

    void hold(std::initializer_list<int> on, const QByteArray& name, const QByteArray& owner)
    {
        for (const int i : on)
            m_servers[size_t(i)].run({"SET", name, owner, "NX", "PX", "600000"});
    }
    QStringList command(const QString& format = u"text"_s) const
    {
        return {u"redlock"_s, u"--config"_s, m_folder.filePath(u"c.toml"_s), u"--format"_s, format};
    }

private slots:
    void initTestCase()
    {
        QStringList urls;
        for (test::RedisServer& server : m_servers) {
            QVERIFY2(server.start(), server.output());
            urls << u"\"%1\""_s.arg(server.urlText());
        }
        QFile file(m_folder.filePath(u"c.toml"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(u"[[redlock]]\nservers = [%1]\nmatch = \"lock:*\"\n"_s.arg(urls.join(u", "_s))
                       .toUtf8());
    }
    void init()
    {
        for (test::RedisServer& server : m_servers)
            server.flush();
    }

    void oneLineForEachLock()
    {
        hold({0, 1, 2, 3, 4}, "lock:all", "worker-1");
        hold({0, 1, 2}, "lock:most", "worker-1");
        hold({3, 4}, "lock:most", "worker-2");
        hold({0, 1, 2, 3, 4}, "other", "worker-1");
        for (const int i : {0, 1, 4}) // as Redisson keeps its own
            m_servers[size_t(i)].lines({"HSET lock:hash 8f1c:1 1", "PEXPIRE lock:hash 600000"});
        Program program;
        QVERIFY(program.run(command()));
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        QVERIFY2(program.out().contains("lock:all  held by worker-1 on 5 of 5, valid for 10 m") ||
                     program.out().contains("lock:all  held by worker-1 on 5 of 5, valid for 9 m"),
                 program.out().constData());
        QVERIFY(program.out().contains("lock:most  held by worker-1 on 3 of 5"));
        QVERIFY(program.out().contains("other owners on 2"));
        QVERIFY(program.out().contains("lock:hash  held by 8f1c:1 on 3 of 5"));
        QVERIFY(!program.out().contains("other  "));
    }

    void nobodyHasEnough()
    {
        hold({0}, "lock:left", "worker-1");
        hold({0, 1}, "lock:split", "worker-1");
        hold({2, 3}, "lock:split", "worker-2");
        Program program;
        QVERIFY(program.run(command(u"json"_s)));
        QCOMPARE(program.exitCode(), 1);
        const QJsonObject group =
            QJsonDocument::fromJson(program.out()).object()["groups"_L1][0].toObject();
        QVERIFY(group["complete"_L1].toBool());
        const QJsonArray locks = group["locks"_L1].toArray();
        QCOMPARE(locks.size(), 2);
        QCOMPARE(locks[0]["state"_L1].toString(), u"no-quorum"_s);
        QCOMPARE(locks[0]["holds"_L1].toInt(), 1);
        QCOMPARE(locks[1]["state"_L1].toString(), u"split"_s);
        QCOMPARE(locks[1]["servers"_L1].toArray().size(), size);
    }

    void serversThatAreDown()
    {
        hold({0, 1, 2}, "lock:a", "worker-1");
        m_servers[3].stop();
        m_servers[4].stop();
        Program held;
        QVERIFY(held.run(command()));
        QCOMPARE(held.exitCode(), 0);
        QVERIFY(held.out().contains("held by worker-1 on 3 of 5"));
        QVERIFY(held.out().contains("servers that do not answer: 2"));
        m_servers[2].stop();
        Program unknown;
        QVERIFY(unknown.run(command()));
        QCOMPARE(unknown.exitCode(), 2);
        QVERIFY(unknown.out().contains("not known: worker-1 has 2 of 5"));
        QVERIFY2(unknown.err().contains("Too few servers"), unknown.err().constData());
        for (const int i : {2, 3, 4})
            QVERIFY(m_servers[size_t(i)].start());
    }

    void nothingIsDeclared()
    {
        QFile file(m_folder.filePath(u"empty.toml"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        Program program;
        QVERIFY(program.run({u"redlock"_s, u"--config"_s, file.fileName()}));
        QCOMPARE(program.exitCode(), 2);
        QVERIFY(program.err().contains("No [[redlock]] is declared"));
    }
};

QTEST_GUILESS_MAIN(TestRedlockCommand)
#include "tst_redlock.moc"
