// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/clustermap.h"
#include "backend/redis/topology/keyslot.h"
#include "backend/session/sessionfindings.h"
#include "backend/text/errortext.h"
#include "tests/server/askedlink.h"
#include "tests/server/livesession.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// One node of a cluster, read alone: it says what it is and what it does not have.
class TestClusterNode : public QObject
{
    Q_OBJECT

private:
    RedisCluster m_cluster;

private slots:
    void initTestCase()
    {
        QVERIFY(m_cluster.start());
        for (int i = 0; i < RedisCluster::size; ++i)
            QCOMPARE(m_cluster.node(i)
                         .run({"SET", m_cluster.nameOn(i, "lock:"), "ef1f63c", "PX", "600000"})
                         .text,
                     QByteArray("OK"));
    }

    void aSnapshotSaysWhichPartItIs();
    void aUserWithoutNodesIsToldBySlots();
    void whoMayOnlyAskForShards();
    void aUserWithoutClusterKnowsThatMuchIsMissing();
    void theWindowSaysSo();
    void oneThatHasMetNoOther();
};

void TestClusterNode::aSnapshotSaysWhichPartItIs()
{
    const TakenSnapshot taken = takeSnapshot(m_cluster.aloneUrl(0));
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QCOMPARE(taken.list("locks").size(), 1);
    QVERIFY(!taken.scan()["complete"_L1].toBool(true));
    const QJsonArray missing = taken.scan()["missing"_L1].toArray();
    QCOMPARE(missing.size(), 1);
    QCOMPARE(missing[0]["cause"_L1].toString(), u"other-nodes"_s);
    const QJsonArray nodes = taken.root["server"_L1]["nodes"_L1].toArray();
    QCOMPARE(nodes.size(), 3);
    QCOMPARE(nodes[0]["slots"_L1].toInt(), 5461);
    QCOMPARE(nodes[0]["keys_scanned"_L1].toInt(), 1);
    QVERIFY(nodes[0]["reachable"_L1].toBool());
    QVERIFY(nodes[1]["reachable"_L1].isNull()); // it was not asked
    QCOMPARE(nodes[1]["keys_scanned"_L1].toInt(-1), 0);
    const QByteArray first = taken.text.left(taken.text.indexOf('\n'));
    QVERIFY2(first.contains("1 of 3 masters, 5,461 of 16,384 slots"), first.constData());
    QVERIFY(taken.findings("other-nodes").contains("not-readable"));
}

// It does not know its own address, and CLUSTER NODES leaves it out.
void TestClusterNode::oneThatHasMetNoOther()
{
    RedisServer server({u"--cluster-enabled"_s, u"yes"_s});
    server.addTcp();
    QVERIFY2(server.start(), server.output());
    server.line("CLUSTER ADDSLOTSRANGE 0 16383");
    QTRY_VERIFY_WITH_TIMEOUT(server.line("CLUSTER INFO").text.contains("cluster_state:ok"), 20'000);
    QVERIFY(server.line("CLUSTER NODES").text.contains(" :"));
    server.line("SET lock:a me PX 600000");
    const TakenSnapshot taken = takeSnapshot(server.tcpUrl());
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    const QJsonArray nodes = taken.root["server"_L1]["nodes"_L1].toArray();
    QCOMPARE(nodes.size(), 1);
    QCOMPARE(nodes[0]["endpoint"_L1].toString(), u"127.0.0.1:%1"_s.arg(server.port()));
    QCOMPARE(nodes[0]["keys_scanned"_L1].toInt(), 1);
}

void TestClusterNode::aUserWithoutNodesIsToldBySlots()
{
    m_cluster.node(1).line("ACL SETUSER few reset on >pw +@all ~* -cluster|nodes");
    ServerUrl url = m_cluster.aloneUrl(1);
    url.user = u"few"_s;
    url.password = u"pw"_s;
    const TakenSnapshot taken = takeSnapshot(url);
    QVERIFY(taken.text.contains("1 of 3 masters, 5,462 of 16,384 slots"));
}

// A user who may only send CLUSTER SHARDS, on one node alone and on the whole cluster.
void TestClusterNode::whoMayOnlyAskForShards()
{
    for (int i = 0; i < RedisCluster::size; ++i)
        m_cluster.node(i).line("ACL SETUSER shards reset on >pw +@all ~* -cluster +cluster|shards");
    ServerUrl url = m_cluster.node(1).tcpUrl();
    url.user = u"shards"_s;
    url.password = u"pw"_s;
    const TakenSnapshot whole = takeSnapshot(url);
    QVERIFY2(whole.snapshot, qPrintable(errorText(whole.error)));
    QVERIFY2(whole.scan()["complete"_L1].toBool(), whole.json.constData());
    QCOMPARE(whole.list("locks").size(), 3);
    QCOMPARE(whole.root["server"_L1]["nodes"_L1].toArray().size(), 3);

    for (int i = 0; i < RedisCluster::size; ++i)
        m_cluster.node(i).line("ACL SETUSER shards +cluster|myid");
    ServerUrl alone = m_cluster.aloneUrl(1);
    alone.user = url.user;
    alone.password = url.password;
    const TakenSnapshot part = takeSnapshot(alone);
    QVERIFY2(part.text.contains("1 of 3 masters, 5,462 of 16,384 slots"), part.text.constData());

    // A slot that moves while it is looked at is followed by it, too.
    Router router(url);
    QVERIFY(opened(router));
    const QByteArray name = m_cluster.nameOn(0, "moving:");
    m_cluster.node(0).run({"SET", name, "1"});
    QVERIFY(m_cluster.moveSlotOf(name, 2));
    bool isTold = false;
    router.refreshMap(&router, [&isTold] { isTold = true; });
    QTRY_VERIFY_WITH_TIMEOUT(isTold, 20'000);
    QCOMPARE(router.map()->ownerOf(keySlot(name))->endpoint,
             u"127.0.0.1:%1"_s.arg(m_cluster.node(2).port()));
    const BatchResult read = ask(router, {{"GET", name}});
    QVERIFY(read && read->front().text == "1");
    m_cluster.node(2).run({"DEL", name});
    QVERIFY(m_cluster.moveSlotOf(name, 0));
}

void TestClusterNode::aUserWithoutClusterKnowsThatMuchIsMissing()
{
    m_cluster.node(1).line("ACL SETUSER none reset on >pw +@all ~* -cluster");
    ServerUrl url = m_cluster.aloneUrl(1);
    url.user = u"none"_s;
    url.password = u"pw"_s;
    const TakenSnapshot taken = takeSnapshot(url);
    QVERIFY(!taken.scan()["complete"_L1].toBool(true));
    QVERIFY2(taken.text.contains("+cluster"), taken.text.constData());
}

void TestClusterNode::theWindowSaysSo()
{
    LiveSession live(m_cluster.aloneUrl(2));
    QTRY_COMPARE_WITH_TIMEOUT(live->report().coverage, u"1 of 3 masters, 5,461 of 16,384 slots"_s,
                              15'000);
    QTRY_VERIFY_WITH_TIMEOUT(live.scanned(), 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(!live->report().scan.whole(), 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(live->findings().latest() &&
                                 live->findings().latest()->byCode.contains("not-readable"),
                             20'000);
}

LK_TEST(TestClusterNode);
#include "tst_clusternode.moc"
