// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/keyslot.h"
#include "tests/e2e/program.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

/// How `lockkeeper act` finds what it is told to act on, and what that costs the server.
class TestActTarget : public QObject
{
    Q_OBJECT

private:
    test::RedisServer m_server;
    static bool act(Program& program, const QString& url, const QString& line)
    {
        QStringList words = line.split(u' ');
        words.prepend(url);
        words.prepend(u"act"_s);
        return program.run(words);
    }
    // All that was called since CONFIG RESETSTAT.
    qint64 calls()
    {
        qint64 sum = 0;
        for (const QByteArray& line : m_server.line("INFO commandstats").text.split('\n')) {
            const qsizetype at = line.indexOf("calls=");
            if (at > 0)
                sum += line.mid(at + 6, line.indexOf(',') - at - 6).toLongLong();
        }
        return sum;
    }

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void anExactNameCostsAFewCommands_data();
    void anExactNameCostsAFewCommands();
    void workersListsAreFoundToo();
    void anotherNodesKeyNamesTheNode();
    void aTokenOfANodeLiesInItsSlots();
};

void TestActTarget::anExactNameCostsAFewCommands_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("code");
    QTest::newRow("a lock") << u"lock release lock:1 --owner me --dry-run"_s << 0;
    QTest::newRow("a token") << u"token validate code:1"_s << 0;
    QTest::newRow("a queue") << u"queue requeue jobs --index 1 --dry-run"_s << 0;
    QTest::newRow("any key") << u"key ttl lock:1 --ttl 1m --dry-run"_s << 0;
}

void TestActTarget::anExactNameCostsAFewCommands()
{
    QFETCH(QString, line);
    QFETCH(int, code);
    constexpr int others = 20'000;
    std::vector<Command> fill;
    for (int i = 0; i < others; ++i) {
        const QByteArray n = QByteArray::number(i);
        fill.push_back({"SET", "lock:1" + n, "me", "PX", "600000"});
        fill.push_back({"SET", "code:1" + n, "payload", "PX", "600000"});
        fill.push_back({"SET", "page:jobs:" + n, "text"});
    }
    m_server.runAll(fill);
    m_server.lines({"SET lock:1 me PX 600000", "SET code:1 payload PX 600000", "RPUSH jobs a b",
                    "RPUSH jobs:processing c"});
    m_server.line("CONFIG RESETSTAT");
    Program program;
    QVERIFY(act(program, m_server.urlText(), line));
    QVERIFY2(program.exitCode() == code, (program.err() + program.out()).constData());
    QVERIFY2(calls() < 150, QByteArray::number(calls()).constData());
}

// No name leads to them: they are scanned for, and nothing else is asked about.
void TestActTarget::workersListsAreFoundToo()
{
    for (int i = 0; i < 5000; ++i)
        m_server.run({"SET", "jobs:page:" + QByteArray::number(i), "text"});
    m_server.lines({"RPUSH jobs a", "RPUSH jobs:processing:worker7 b"});
    m_server.line("CONFIG RESETSTAT");
    Program program;
    QVERIFY(act(program, m_server.urlText(), u"queue requeue jobs --index 1 --dry-run"_s));
    QVERIFY2(program.exitCode() == 0, (program.err() + program.out()).constData());
    QVERIFY(program.out().contains("jobs:processing:worker7"));
    QVERIFY2(calls() < 150, QByteArray::number(calls()).constData());
}

void TestActTarget::anotherNodesKeyNamesTheNode()
{
    test::RedisCluster cluster;
    QVERIFY(cluster.start());
    const QByteArray name = cluster.nameOn(1, "lock:");
    QCOMPARE(cluster.node(1).run({"SET", name, "me", "PX", "600000"}).text, QByteArray("OK"));
    Program program;
    const QString url = u"redis://127.0.0.1:%1?cluster=no"_s.arg(cluster.node(0).port());
    QVERIFY(
        act(program, url, u"lock release %1 --owner me --yes"_s.arg(QString::fromLatin1(name))));
    QCOMPARE(program.exitCode(), 1);
    QVERIFY2(program.err().contains("MOVED"), program.err().constData());
    QVERIFY2(program.err().contains(QByteArray::number(cluster.node(1).port())),
             program.err().constData());
    QCOMPARE(cluster.node(1).run({"GET", name}).text, QByteArray("me"));
}

void TestActTarget::aTokenOfANodeLiesInItsSlots()
{
    test::RedisCluster cluster;
    QVERIFY(cluster.start());
    const QString url = u"redis://127.0.0.1:%1?cluster=no"_s.arg(cluster.node(2).port());
    for (int i = 0; i < 6; ++i) { // by chance one of three would
        Program program;
        QVERIFY(act(program, url, u"token issue --prefix code: --ttl 1h --yes"_s));
        QVERIFY2(program.exitCode() == 0, (program.err() + program.out()).constData());
    }
    QCOMPARE(cluster.node(2).line("DBSIZE").integer, 6);
    Program foreign;
    QByteArray tag = "{a}";
    for (int i = 0; test::RedisCluster::nodeOfSlot(keySlot(tag)) == 2; ++i)
        tag = "{a" + QByteArray::number(i) + '}';
    QVERIFY(act(foreign, url,
                u"token issue --prefix %1: --ttl 1h --yes"_s.arg(QString::fromLatin1(tag))));
    QCOMPARE(foreign.exitCode(), 1);
    QVERIFY2(foreign.err().contains("slot"), foreign.err().constData());
    const int owner = test::RedisCluster::nodeOfSlot(keySlot(tag));
    QVERIFY2(foreign.err().contains(QByteArray::number(cluster.node(owner).port())),
             foreign.err().constData());
}

LK_TEST(TestActTarget);
#include "tst_acttarget.moc"
