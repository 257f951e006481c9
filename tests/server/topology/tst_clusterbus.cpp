// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionacting.h"
#include "tests/server/failoversteps.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// The nodes of a cluster are parted from each other, and the console reaches both sides: they
/// disagree about who is the master, and the smaller one cannot know.
class TestClusterBus : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void theSideThatSeesMostIsBelieved_data();
    void theSideThatSeesMostIsBelieved();
    void onlyTheSmallerSideIsReached();

private:
    static constexpr int alone = 0; ///< the master that is cut off

    bool part();
    bool isDown(RedisServer& node) { return node.line("CLUSTER INFO").text.contains("state:fail"); }
    bool isNamed(const std::vector<Missing>& all, int node) const
    {
        return std::any_of(all.begin(), all.end(), [&](const Missing& missing) {
            return missing.detail.endsWith(QString::number(m_cluster->node(node).port()));
        });
    }

    std::unique_ptr<BusProxy> m_bus;
    std::unique_ptr<RedisCluster> m_cluster;
    QByteArrayList m_locks; ///< one on each master, of "me"
};

void TestClusterBus::init()
{
    m_bus = std::make_unique<BusProxy>();
    m_cluster = std::make_unique<RedisCluster>();
    m_cluster->setBusProxy(m_bus.get());
    QVERIFY(m_cluster->start());
    QVERIFY(m_cluster->addReplicas());
    m_locks.clear();
    for (int i = 0; i < RedisCluster::size; ++i) {
        for (RedisServer* each : {&m_cluster->node(i), &m_cluster->replica(i)})
            each->line("CONFIG SET cluster-require-full-coverage no");
        m_locks << m_cluster->nameOn(i, "lock:");
        const auto replies = m_cluster->node(i).runAll(
            {{"SET", m_locks.back(), "me", "PX", "6000000"}, {"WAIT", "1", "10000"}});
        QCOMPARE(replies.back().integer, 1);
    }
}

void TestClusterBus::cleanup()
{
    m_cluster.reset();
    m_bus.reset();
}

// The smaller side knows that it is one, and the other has another master in its place.
bool TestClusterBus::part()
{
    m_bus->part({alone});
    return RedisCluster::waitForMaster(m_cluster->replica(alone)) &&
           QTest::qWaitFor([this] { return isDown(m_cluster->node(alone)); }, failoverPatienceMs) &&
           m_cluster->node(alone).line("INFO replication").text.contains("role:master");
}

void TestClusterBus::theSideThatSeesMostIsBelieved_data()
{
    QTest::addColumn<int>("entry");
    QTest::addColumn<bool>("watchedBefore");
    QTest::newRow("from the smaller side, before") << alone << true;
    QTest::newRow("from the larger side, before") << 2 << true;
    QTest::newRow("from the smaller side, after") << alone << false;
}

void TestClusterBus::theSideThatSeesMostIsBelieved()
{
    QFETCH(int, entry);
    QFETCH(bool, watchedBefore);
    FailingDeployment deployment;
    deployment.url = m_cluster->node(entry).tcpUrl();
    deployment.queue = "none";
    deployment.lock = m_locks[alone];
    if (!watchedBefore)
        QVERIFY(part());
    ActingSession session(deployment);
    LiveSession& live = session.live;
    QTRY_COMPARE_WITH_TIMEOUT(lockCount(live), 3, failoverPatienceMs);
    if (watchedBefore)
        QVERIFY(part());
    RedisServer& left = m_cluster->node(alone);
    RedisServer& right = m_cluster->replica(alone);
    QCOMPARE(right.run({"SET", m_locks[alone], "another", "PX", "6000000"}).text, QByteArray("OK"));

    QTRY_COMPARE_WITH_TIMEOUT(live.owner(m_locks[alone]), QByteArray("another"),
                              failoverPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(live->report().coverage, u"3 masters, all slots"_s,
                              failoverPatienceMs);
    QCOMPARE(lockCount(live), 3);
    // Both are on the Server board: the new one with the slots, and the one that is cut off.
    const auto factsOf = [&](RedisServer& server) {
        const std::vector<NodeFacts>& nodes = live->report().nodes;
        const auto it = std::find_if(nodes.begin(), nodes.end(), [&](const NodeFacts& node) {
            return node.endpoint.endsWith(QString::number(server.port()));
        });
        return it == nodes.end() ? NodeFacts() : *it;
    };
    QTRY_COMPARE_WITH_TIMEOUT(factsOf(right).role, NodeRole::Master, failoverPatienceMs);
    QCOMPARE(factsOf(right).slotCount, std::optional<qint64>(5461));
    QCOMPARE(factsOf(left).reachable, std::optional<bool>(false));
    QCOMPARE(factsOf(left).slotCount.value_or(0), 0);

    // The action runs there, and the other side stays as it was.
    QVERIFY(session.turnOn());
    QVERIFY(session.plan(m_locks[alone], "lock.release", {{"owner", "another"}}));
    const std::optional<Receipt> done = session.run();
    QVERIFY(done);
    QVERIFY2(done->outcome == Outcome::Succeeded, qPrintable(done->text));
    QCOMPARE(right.run({"EXISTS", m_locks[alone]}).integer, 0);
    QVERIFY(!left.line("INFO commandstats").text.contains("cmdstat_eval"));
    const TakenSnapshot taken = takeSnapshot(m_cluster->node(entry).tcpUrl());
    QVERIFY(taken.snapshot);
    QVERIFY(taken.scan()["complete"_L1].toBool());
    QCOMPARE(taken.list("locks").size(), 2);

    m_bus->heal();
    QTRY_VERIFY_WITH_TIMEOUT(left.line("INFO replication").text.contains("role:slave"),
                             failoverPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(factsOf(left).role == NodeRole::Replica, failoverPatienceMs);
    QCOMPARE(live->report().coverage, u"3 masters, all slots"_s);
}

// A console on that side lists the unreachable nodes by name, and acts on nothing there.
void TestClusterBus::onlyTheSmallerSideIsReached()
{
    std::vector<std::unique_ptr<FaultProxy>> proxies;
    FailingDeployment deployment;
    deployment.url = m_cluster->node(alone).tcpUrl();
    deployment.queue = "none";
    deployment.lock = m_locks[alone];
    const QString local = u"127.0.0.1"_s;
    const auto standBefore = [&](RedisServer& server) {
        proxies.push_back(std::make_unique<FaultProxy>(server.socketPath()));
        deployment.url.addressMap.push_back(
            {{local, server.port()}, {local, proxies.back()->url().port}});
    };
    for (int i = 0; i < RedisCluster::size; ++i) {
        if (i != alone)
            standBefore(m_cluster->node(i));
        standBefore(m_cluster->replica(i));
    }
    ActingSession session(deployment);
    LiveSession& live = session.live;
    QTRY_COMPARE_WITH_TIMEOUT(lockCount(live), 3, failoverPatienceMs);
    QVERIFY(session.turnOn());
    QVERIFY(session.plan(m_locks[alone], "lock.release", {{"owner", "me"}}));
    const quint64 planned = session.ticket;
    for (const auto& proxy : proxies)
        proxy->stall();
    QVERIFY(part());

    QTRY_VERIFY_WITH_TIMEOUT(isNamed(live->report().scan.missing, 1) &&
                                 isNamed(live->report().scan.missing, 2),
                             failoverPatienceMs);
    QVERIFY2(live->report().coverage.startsWith(u"1 of 3 masters"_s),
             qPrintable(live->report().coverage));
    // The node takes no commands for its keys any more: what is planned is void or refused.
    session.receipts.clear();
    live->acting().run(planned, {});
    QTRY_VERIFY_WITH_TIMEOUT(session.receipts.size() + session.dropped.size() > 0,
                             failoverPatienceMs);
    if (!session.receipts.isEmpty())
        QCOMPARE(session.receipts[0][1].value<Receipt>().outcome, Outcome::Refused);
    for (RedisServer* server : {&m_cluster->node(alone), &m_cluster->replica(alone)})
        QVERIFY(!server->line("INFO commandstats").text.contains("cmdstat_del"));
    QCOMPARE(m_cluster->replica(alone).run({"GET", m_locks[alone]}).text, QByteArray("me"));
    m_bus->heal();
    for (const auto& proxy : proxies) {
        proxy->heal();
        proxy->cutNow();
    }
    QTRY_COMPARE_WITH_TIMEOUT(live->report().coverage, u"3 masters, all slots"_s,
                              failoverPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(lockCount(live), 3, failoverPatienceMs);
}

LK_TEST(TestClusterBus);
#include "tst_clusterbus.moc"
