// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/failoversteps.h"
#include "tests/server/takensnapshot.h"
#include "tests/server/versionguise.h"
#include "tests/support/guisecluster.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

Q_DECLARE_METATYPE(lk::test::GuiseServer::Guise)

/// A cluster of each version is read, watched and acted on with what that version has.
class TestClusterVersions : public QObject
{
    Q_OBJECT

private slots:
    void readsWatchesAndActs_data();
    void readsWatchesAndActs();
    void aDatabaseThatTheNodesRefuse();
};

void TestClusterVersions::readsWatchesAndActs_data()
{
    QTest::addColumn<GuiseServer::Guise>("guise");
    QTest::addColumn<QString>("flavour");
    QTest::addColumn<int>("database");
    QTest::newRow("redis 5") << redisGuise("5.0.14") << u"redis"_s << 0;
    QTest::newRow("redis 6") << redisGuise("6.2.14") << u"redis"_s << 0;
    QTest::newRow("keydb") << keyDbGuise("6.3.4") << u"keydb"_s << 0;
    QTest::newRow("valkey 9") << valkeyGuise("9.0.0") << u"valkey"_s << 0;
    QTest::newRow("valkey 9, another database") << valkeyGuise("9.0.0") << u"valkey"_s << 1;
}

void TestClusterVersions::readsWatchesAndActs()
{
    QFETCH(GuiseServer::Guise, guise);
    QFETCH(QString, flavour);
    QFETCH(int, database);
    GuiseCluster odd;
    QVERIFY(odd.start(guise));
    RedisCluster& cluster = odd.cluster();
    QByteArrayList names;
    for (int i = 0; i < RedisCluster::size; ++i) {
        names << cluster.nameOn(i, "lock:");
        cluster.node(i).run({"SET", names.back(), "w1", "PX", "600000"});
    }
    ServerUrl url = odd.url();
    url.database = database;

    const TakenSnapshot taken = takeSnapshot(url);
    QVERIFY2(taken.snapshot, qPrintable(taken.error.detail));
    QCOMPARE(taken.snapshot->server.mode, ServerMode::Cluster);
    QCOMPARE(flavourName(taken.snapshot->server.flavour), flavour);
    QCOMPARE(taken.snapshot->server.nodes.size(), size_t(RedisCluster::size));
    QCOMPARE(taken.names("locks").size(), RedisCluster::size);
    QVERIFY2(taken.scan()["complete"_L1].toBool(), taken.json.constData());

    FailingDeployment deployment;
    deployment.url = url;
    deployment.lock = names[1];
    deployment.queue = '{' + names[1] + "}:jobs";
    ActingSession session(deployment);
    QVERIFY(waitUntil([&] { return session.live.size() == RedisCluster::size; }));
    cluster.node(2).run({"SET", names[2], "w2", "PX", "600000"});
    QVERIFY(waitUntil([&] { return session.live.owner(names[2]) == "w2"; }));
    QVERIFY(session.turnOn());
    QVERIFY(session.plan(names[1], "lock.release", {{"owner", "w1"}}));
    const std::optional<Receipt> released = session.run();
    QVERIFY(released);
    QVERIFY2(released->outcome == Outcome::Succeeded, qPrintable(released->text));
    QVERIFY(cluster.node(1).run({"GET", names[1]}).isNil());
    for (int i = 0; i < RedisCluster::size; ++i) {
        QCOMPARE(odd.node(i).unknown(), QByteArrayList());
        QCOMPARE(odd.node(i).count("SELECT") > 0, database != 0);
    }
}

// As all but Valkey 9 do, which has only one unless it is told: it is for them to say.
void TestClusterVersions::aDatabaseThatTheNodesRefuse()
{
    RedisCluster cluster;
    QVERIFY(cluster.start());
    ServerUrl url = cluster.node(0).tcpUrl();
    url.database = 1;
    const TakenSnapshot taken = takeSnapshot(url);
    QVERIFY(!taken.snapshot);
    QCOMPARE(taken.error.code, ErrorCode::BadUrl);
    QVERIFY2(taken.error.detail.contains(u"database 1"_s) &&
                 (taken.error.detail.contains(u"not allowed in cluster mode"_s) ||
                  taken.error.detail.contains(u"out of range"_s)),
             qPrintable(taken.error.detail));
}

LK_TEST(TestClusterVersions);
#include "tst_clusterversions.moc"
