// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/keyslot.h"
#include "tests/e2e/keyring.h"
#include "tests/e2e/program.h"
#include "tests/support/faultproxy.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

/// The command line on a whole cluster, named by any of its nodes.
class TestCluster : public QObject
{
    Q_OBJECT

private:
    test::RedisCluster m_cluster;
    QString urlOf(int node) { return u"redis://127.0.0.1:%1"_s.arg(m_cluster.node(node).port()); }

private slots:
    void initTestCase() { QVERIFY(m_cluster.start()); }
    void init()
    {
        for (int i = 0; i < test::RedisCluster::size; ++i)
            m_cluster.node(i).flush();
    }

    void aSnapshotHasEveryNode();
    void clusterUrls();
    void anyKeyIsActedOnAndUndone();
    void anyNodeKnowsWhatWasDone();
    void aFurtherAddressIsTried();
    void keysOfTwoSlotsAreRefused();
    void aSlotThatMovesUnderAnAction();
    void jobsOfAnyNodeAreListed();
    void aJobIsNamedWithItsKey();
    void anUnknownOutcomeIsReadWhereItIs();
};

void TestCluster::aSnapshotHasEveryNode()
{
    for (int i = 0; i < test::RedisCluster::size; ++i)
        m_cluster.node(i).run({"SET", m_cluster.nameOn(i, "lock:"), "ef1f63c", "PX", "600000"});
    Program program;
    QVERIFY(program.run({u"snapshot"_s, urlOf(1), u"--format"_s, u"json"_s}));
    QVERIFY2(program.exitCode() == 0, program.err().constData());
    const QJsonObject root = QJsonDocument::fromJson(program.out()).object();
    QCOMPARE(root["locks"_L1].toArray().size(), 3);
    QCOMPARE(root["server"_L1]["mode"_L1].toString(), u"cluster"_s);
    QVERIFY(root["scan"_L1]["complete"_L1].toBool());
    for (const QJsonValue& lock : root["locks"_L1].toArray()) {
        const QByteArray name = lock["name"_L1].toString().toUtf8();
        QCOMPARE(lock["slot"_L1].toInt(-1), keySlot(name));
        QCOMPARE(lock["node"_L1].toString(), u"127.0.0.1:%1"_s.arg(m_cluster.ownerOf(name).port()));
    }
    Program text;
    QVERIFY(text.run({u"snapshot"_s, urlOf(1)}));
    for (int i = 0; i < test::RedisCluster::size; ++i) {
        const QByteArray row = m_cluster.nameOn(i, "lock:") +
                               "  127.0.0.1:" + QByteArray::number(m_cluster.node(i).port());
        QVERIFY2(text.out().contains(row), text.out().constData());
    }
    Program check;
    QVERIFY(check.run({u"check"_s, urlOf(2), u"--fail-on"_s, u"error"_s}));
    QVERIFY2(check.exitCode() == 0, (check.out() + check.err()).constData());
}

void TestCluster::clusterUrls()
{
    const QString several =
        u"redis-cluster://127.0.0.1:%1,127.0.0.1:%2"_s.arg(m_cluster.node(0).port())
            .arg(m_cluster.node(2).port());
    m_cluster.node(1).run({"SET", m_cluster.nameOn(1, "lock:"), "ef1f63c", "PX", "600000"});
    Program whole;
    QVERIFY(whole.run({u"snapshot"_s, several}));
    QVERIFY2(whole.exitCode() == 0, whole.err().constData());
    QVERIFY2(whole.out().contains("3 masters"), whole.out().constData());
    Program alone;
    QVERIFY(alone.run({u"snapshot"_s, urlOf(0) + u"?cluster=no"_s}));
    QVERIFY2(alone.out().contains("1 of 3 masters"), alone.out().constData());
}

void TestCluster::anyKeyIsActedOnAndUndone()
{
    for (int i = 0; i < test::RedisCluster::size; ++i) {
        const QByteArray name = m_cluster.nameOn(i, "lock:");
        m_cluster.node(i).run({"SET", name, "ef1f63c", "PX", "600000"});
        Program release;
        QVERIFY(release.run({u"act"_s, urlOf(0), u"lock"_s, u"release"_s, QString::fromLatin1(name),
                             u"--owner"_s, u"ef1f63c"_s, u"--yes"_s}));
        QVERIFY2(release.exitCode() == 0, (release.out() + release.err()).constData());
        QCOMPARE(m_cluster.node(i).run({"EXISTS", name}).integer, 0);
    }
    // A code may lie anywhere.
    for (int i = 0; i < 6; ++i) {
        Program issue;
        QVERIFY(issue.run({u"act"_s, urlOf(i % 3), u"token"_s, u"issue"_s, u"--prefix"_s,
                           u"code:"_s, u"--ttl"_s, u"1h"_s, u"--yes"_s}));
        QVERIFY2(issue.exitCode() == 0, (issue.out() + issue.err()).constData());
    }
    qint64 tokens = 0;
    for (int i = 0; i < test::RedisCluster::size; ++i)
        tokens += m_cluster.node(i).line("DBSIZE").integer;
    QCOMPARE(tokens, 6);
}

// The plan and the journal say which node has the key; the journal and undo are the cluster's.
void TestCluster::anyNodeKnowsWhatWasDone()
{
    test::Keyring keyring;
    if (!keyring.start())
        QSKIP("no keyring can be started here");
    const QByteArray name = m_cluster.nameOn(1, "lock:known:");
    m_cluster.node(1).run({"SET", name, "ef1f63c", "PX", "600000"});
    Program program;
    program.set("DBUS_SESSION_BUS_ADDRESS", keyring.address());
    qsizetype before = 0; // bytes of what earlier runs said
    const auto said = [&](const QStringList& arguments) {
        if (!program.run(arguments) || program.exitCode() != 0)
            return "failed: " + program.err();
        const QByteArray all = program.out();
        return all.mid(std::exchange(before, all.size()));
    };
    const QStringList release{
        u"act"_s,     urlOf(0),    u"lock"_s, u"release"_s, QString::fromLatin1(name),
        u"--owner"_s, u"ef1f63c"_s};
    const QByteArray node = "127.0.0.1:" + QByteArray::number(m_cluster.node(1).port());
    const QByteArray plan = said(release + QStringList{u"--dry-run"_s});
    QVERIFY2(plan.contains("\n  node:           " + node + '\n'), plan.constData());
    const QByteArray receipt = said(release + QStringList{u"--yes"_s});
    QVERIFY2(receipt.startsWith("Succeeded\n"), receipt.constData());

    const QByteArray text = said({u"act"_s, urlOf(1), u"journal"_s});
    QVERIFY2(text.contains("Succeeded"), text.constData());
    QVERIFY2(text.contains(name + " on " + node), text.constData());
    const QByteArray json = said({u"act"_s, urlOf(0), u"journal"_s, u"--json"_s});
    const QJsonObject entry = QJsonDocument::fromJson(json).array().at(0).toObject();
    QCOMPARE(entry["node"_L1].toString(), QString::fromLatin1(node + "/0"));

    const QByteArray undone =
        said({u"act"_s, urlOf(2), u"undo"_s, entry["receipt"_L1].toString(), u"--yes"_s});
    QVERIFY2(undone.startsWith("Succeeded\n"), undone.constData());
    QCOMPARE(m_cluster.node(1).run({"GET", name}).text, QByteArray("ef1f63c"));
}

// The first address may be down.
void TestCluster::aFurtherAddressIsTried()
{
    m_cluster.node(1).run({"SET", m_cluster.nameOn(1, "lock:"), "ef1f63c", "PX", "600000"});
    const QString url = u"redis-cluster://127.0.0.1:1,127.0.0.1:%1"_s.arg(m_cluster.node(2).port());
    Program program;
    QVERIFY(program.run({u"snapshot"_s, url}));
    QVERIFY2(program.exitCode() == 0, program.err().constData());
    QVERIFY2(program.out().contains("Locks (1)"), program.out().constData());
}

// A queue whose lists lie apart is shown, with the finding; one script cannot move its items.
void TestCluster::keysOfTwoSlotsAreRefused()
{
    const QByteArray list = m_cluster.nameOn(0, "jobs");
    const QByteArray processing = list + ":processing";
    m_cluster.ownerOf(list).run({"LPUSH", list, "a"});
    m_cluster.ownerOf(processing).run({"LPUSH", processing, "b"});
    Program requeue;
    QVERIFY(requeue.run({u"act"_s, urlOf(0), u"queue"_s, u"requeue"_s, QString::fromLatin1(list),
                         u"--index"_s, u"1"_s, u"--yes"_s}));
    QCOMPARE(requeue.exitCode(), 1);
    QVERIFY2(requeue.err().contains("slots"), requeue.err().constData());
    QCOMPARE(m_cluster.ownerOf(processing).run({"LLEN", processing}).integer, 1);

    // It has no slot of its own, and each of its keys has one.
    Program snapshot;
    QVERIFY(snapshot.run({u"snapshot"_s, urlOf(0), u"--format"_s, u"json"_s}));
    const QJsonArray queues =
        QJsonDocument::fromJson(snapshot.out()).object()["queues"_L1].toArray();
    QCOMPARE(queues.size(), 1);
    QVERIFY(queues[0]["slot"_L1].isNull() && queues[0]["node"_L1].isNull());
    const QJsonArray places = queues[0]["slots"_L1].toArray();
    QVERIFY2(places.size() >= 2, snapshot.out().constData());
    for (const QJsonValue& place : places) {
        const QByteArray key = place["key"_L1].toString().toUtf8();
        QCOMPARE(place["slot"_L1].toInt(-1), keySlot(key));
        QCOMPARE(place["node"_L1].toString(), u"127.0.0.1:%1"_s.arg(m_cluster.ownerOf(key).port()));
    }
}

void TestCluster::aSlotThatMovesUnderAnAction()
{
    const QByteArray name = m_cluster.nameOn(0, "lock:moving");
    m_cluster.node(0).run({"SET", name, "me", "PX", "600000"});
    QVERIFY(m_cluster.moveSlotOf(name, 2));
    Program release;
    QVERIFY(release.run({u"act"_s, urlOf(1), u"lock"_s, u"release"_s, QString::fromLatin1(name),
                         u"--owner"_s, u"me"_s, u"--yes"_s}));
    QVERIFY2(release.exitCode() == 0, (release.out() + release.err()).constData());
    QCOMPARE(m_cluster.node(2).run({"EXISTS", name}).integer, 0);
}

void TestCluster::jobsOfAnyNodeAreListed()
{
    for (int i = 0; i < test::RedisCluster::size; ++i) {
        const QByteArray lock = m_cluster.nameOn(i, "lock:");
        const QByteArray queue = '{' + lock + "}:jobs";
        m_cluster.node(i).run({"RPUSH", queue, "a", "b"});
        m_cluster.node(i).run({"RPUSH", queue + ":processing", "c"});
        Program jobs;
        QVERIFY(
            jobs.run({u"jobs"_s, urlOf(0), QString::fromLatin1(queue), u"--format"_s, u"json"_s}));
        QVERIFY2(jobs.exitCode() == 0, jobs.err().constData());
        const QJsonArray listed = QJsonDocument::fromJson(jobs.out()).object()["jobs"_L1].toArray();
        QCOMPARE(listed.size(), 3);
        for (const QJsonValue& job : listed) {
            QVERIFY(job["job_key"_L1].isNull()); // the list is all there is
            QCOMPARE(job["slot"_L1].toInt(), keySlot(lock));
            QCOMPARE(job["node"_L1].toString(), u"127.0.0.1:%1"_s.arg(m_cluster.node(i).port()));
        }
    }
}

// A library that gives each job a key of its own: that is where the job is.
void TestCluster::aJobIsNamedWithItsKey()
{
    const QByteArray lock = m_cluster.nameOn(2, "lock:");
    const QByteArray stem = '{' + lock + "}:email";
    test::RedisServer& node = m_cluster.node(2);
    node.run({"HSET", stem + ":meta", "version", "bullmq:5.34.0", "opts.maxLenEvents", "10000"});
    node.run({"XADD", stem + ":events", "*", "event", "added", "jobId", "7"});
    node.run({"HSET", stem + ":7", "name", "send", "data", "{}", "opts", "{}", "timestamp",
              "1795327726719"});
    node.run({"LPUSH", stem + ":wait", "7"});
    Program jobs;
    QVERIFY(jobs.run({u"jobs"_s, urlOf(0), QString::fromLatin1(stem), u"--format"_s, u"json"_s}));
    QVERIFY2(jobs.exitCode() == 0, jobs.err().constData());
    const QJsonArray listed = QJsonDocument::fromJson(jobs.out()).object()["jobs"_L1].toArray();
    QCOMPARE(listed.size(), 1);
    QCOMPARE(listed[0]["job_key"_L1].toString().toLatin1(), stem + ":7");
    QCOMPARE(listed[0]["key"_L1].toString().toLatin1(), stem + ":wait");
    QCOMPARE(listed[0]["slot"_L1].toInt(), keySlot(lock));
    QCOMPARE(listed[0]["node"_L1].toString(), u"127.0.0.1:%1"_s.arg(node.port()));
}

// The key may be on another node than the one that was named.
void TestCluster::anUnknownOutcomeIsReadWhereItIs()
{
    test::RedisServer& node = m_cluster.node(1);
    const QByteArray name = m_cluster.nameOn(1, "lock:");
    node.run({"SET", name, "me", "PX", "600000"});
    test::FaultProxy proxy(node.socketPath());
    proxy.holdFrom("EVALSHA");
    const QString url =
        urlOf(0) + u"?map=127.0.0.1:%1=127.0.0.1:%2"_s.arg(node.port()).arg(proxy.url().port);
    Program program;
    QVERIFY(program.start({u"act"_s, url, u"lock"_s, u"release"_s, QString::fromLatin1(name),
                           u"--owner"_s, u"me"_s, u"--yes"_s}));
    QTRY_VERIFY_WITH_TIMEOUT(proxy.isHolding(), 30'000);
    proxy.dropHeld();
    proxy.heal();
    proxy.cutNow();
    QVERIFY(program.waitForEnd());
    QCOMPARE(program.exitCode(), 1);
    QVERIFY2(program.out().startsWith("Outcome unknown: "), program.out().constData());
    QVERIFY2(program.out().contains("now:            " + name + " is still held by me"),
             program.out().constData());
}

LK_TEST(TestCluster);
#include "tst_cluster.moc"
