// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/livesession.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// A master dies and its replica takes over: what was watched goes on being watched there.
class TestClusterFailover : public QObject
{
    Q_OBJECT

private slots:
    void theReplicaIsFollowed();
};

void TestClusterFailover::theReplicaIsFollowed()
{
    RedisCluster cluster;
    QVERIFY(cluster.start());
    RedisServer* replica = cluster.addReplica(1);
    QVERIFY(replica);
    for (int i = 0; i < RedisCluster::size; ++i)
        cluster.node(i).line("CONFIG SET cluster-require-full-coverage no");
    replica->line("CONFIG SET cluster-require-full-coverage no");
    QByteArrayList names;
    for (int i = 0; i < RedisCluster::size; ++i) {
        names << cluster.nameOn(i, "lock:");
        cluster.node(i).run({"SET", names.back(), "ef1f63c", "PX", "6000000"});
    }
    QTRY_COMPARE_WITH_TIMEOUT(replica->line("DBSIZE").integer, 1, 20'000);

    LiveSession live(cluster.node(0).tcpUrl());
    QTRY_COMPARE_WITH_TIMEOUT(live.size(), 3, 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(live->report().coverage, u"3 masters, all slots"_s, 20'000);
    const auto isReplicaListed = [&] {
        return std::any_of(live->report().nodes.begin(), live->report().nodes.end(),
                           [&](const NodeFacts& node) {
                               return node.role == NodeRole::Replica &&
                                      node.endpoint.endsWith(QString::number(replica->port()));
                           });
    };
    QTRY_VERIFY_WITH_TIMEOUT(isReplicaListed(), 20'000);
    const QString dead = QString::number(cluster.node(1).port());
    cluster.node(1).stop();

    // The node is named while its slots are not served; the others go on.
    QTRY_VERIFY_WITH_TIMEOUT(live->report().coverage.startsWith(u"2 of 3"_s), 20'000);
    const auto told = [&] {
        return std::any_of(live->report().scan.missing.begin(), live->report().scan.missing.end(),
                           [&](const Missing& m) {
                               return m.cause == Missing::Cause::NodeDown &&
                                      m.detail.endsWith(dead);
                           });
    };
    QTRY_VERIFY_WITH_TIMEOUT(told(), 20'000);
    cluster.node(0).run({"SET", names[0], "meanwhile", "PX", "6000000"});
    QTRY_COMPARE_WITH_TIMEOUT(live.owner(names[0]), QByteArray("meanwhile"), 20'000);

    QTRY_VERIFY_WITH_TIMEOUT(replica->line("INFO replication").text.contains("role:master"),
                             30'000);
    QElapsedTimer since;
    since.start();
    QTRY_COMPARE_WITH_TIMEOUT(live->report().coverage, u"3 masters, all slots"_s, 20'000);
    qInfo("followed after %lld ms", since.elapsed());
    replica->run({"SET", names[1], "afterwards", "PX", "6000000"});
    QTRY_COMPARE_WITH_TIMEOUT(live.owner(names[1]), QByteArray("afterwards"), 20'000);
    QCOMPARE(live.size(), 3);
    QCOMPARE(live->status().phase, ConnectionStatus::Phase::Ready);

    const TakenSnapshot taken = takeSnapshot(cluster.node(2).tcpUrl());
    QVERIFY(taken.snapshot);
    QCOMPARE(taken.list("locks").size(), 3);
    QVERIFY(taken.scan()["complete"_L1].toBool());
}

LK_TEST(TestClusterFailover);
#include "tst_clusterfailover.moc"
