// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/failoversteps.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"

#include "backend/redis/topology/keyslot.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// A cluster of six nodes under load, of which a master dies while it is looked at or acted on.
class TestClusterLoad : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void aSnapshot() { snapshotWhileAMasterDies(m_deployment); }
    void theWindow() { windowWhileAMasterDies(m_deployment); }
    void aPlan() { planIsVoidOnceItsMasterIsGone(m_deployment); }
    void anActionThatArrived() { actionInFlight(m_deployment, true); }
    void anActionThatDidNot() { actionInFlight(m_deployment, false); }
    void anUndo() { undoAcrossAFailover(m_deployment); }
    void anUndoThatArrived() { undoInFlight(m_deployment, true); }
    void anUndoThatDidNot() { undoInFlight(m_deployment, false); }

private:
    static constexpr int dies = 1;
    static constexpr int locks = 1500;

    std::unique_ptr<RedisCluster> m_cluster;
    std::unique_ptr<FaultProxy> m_proxy;
    std::unique_ptr<WritingLoad> m_load;
    FailingDeployment m_deployment;
    bool m_dead = false;
};

void TestClusterLoad::init()
{
    m_cluster = std::make_unique<RedisCluster>();
    QVERIFY(m_cluster->start());
    QVERIFY(m_cluster->addReplicas());
    QStringList sockets;
    std::array<std::vector<Command>, RedisCluster::size> commands;
    for (int i = 0; i < locks; ++i) {
        const QByteArray name = "lock:" + QByteArray::number(i);
        commands[size_t(RedisCluster::nodeOfSlot(keySlot(name)))].push_back(
            {"SET", name, "me", "PX", "6000000"});
    }
    for (int i = 0; i < RedisCluster::size; ++i) {
        m_cluster->node(i).runAll(commands[size_t(i)]);
        for (RedisServer* each : {&m_cluster->node(i), &m_cluster->replica(i)}) {
            each->line("CONFIG SET cluster-require-full-coverage no");
            sockets << each->socketPath();
        }
    }
    RedisServer& master = m_cluster->node(dies);
    RedisServer& replica = m_cluster->replica(dies);
    m_dead = false;
    m_proxy = std::make_unique<FaultProxy>(master.socketPath());
    const QString local = u"127.0.0.1"_s;
    m_deployment = {};
    m_deployment.url = m_cluster->node(0).tcpUrl();
    m_deployment.url.addressMap = {{{local, master.port()}, {local, m_proxy->url().port}}};
    m_deployment.proxy = m_proxy.get();
    m_deployment.lock = m_cluster->nameOn(dies, "lock:");
    m_deployment.queue = '{' + m_deployment.lock + "}:jobs";
    m_deployment.locks = locks;
    master.run({"RPUSH", m_deployment.queue, "a", "b"});
    m_deployment.ask = [this, &master, &replica](const Command& command) {
        return (m_dead ? replica : master).run(command);
    };
    const QByteArray key = m_cluster->nameOn(dies, "noise:"); // WAIT is about own writes
    m_deployment.caughtUp = [key, &master] {
        return master.runAll({{"SET", key, "...", "PX", "60000"}, {"WAIT", "1", "1000"}})
                   .back()
                   .integer == 1;
    };
    m_deployment.kill = [this, &master] {
        master.stop();
        m_dead = true;
    };
    m_deployment.waitForTheOther = [&replica] { return RedisCluster::waitForMaster(replica); };
    m_deployment.saysWhatLacks = [&master](const TakenSnapshot& taken) {
        return std::any_of(taken.snapshot->scan.missing.begin(), taken.snapshot->scan.missing.end(),
                           [&](const Missing& missing) {
                               return missing.cause == Missing::Cause::NodeDown &&
                                      missing.detail.endsWith(QString::number(master.port()));
                           });
    };
    QTRY_VERIFY_WITH_TIMEOUT(m_deployment.caughtUp(), failoverPatienceMs);
    m_load = std::make_unique<WritingLoad>(sockets);
    QTRY_VERIFY_WITH_TIMEOUT(m_load->written() > 1000, failoverPatienceMs);
}

void TestClusterLoad::cleanup()
{
    const qint64 before = m_load ? m_load->written() : 0;
    if (!QTest::currentTestFailed()) // it has gone on all the time
        QTRY_VERIFY_WITH_TIMEOUT(m_load->written() > before, failoverPatienceMs);
    m_load.reset();
    m_proxy.reset();
    m_cluster.reset();
}

LK_TEST(TestClusterLoad);
#include "tst_clusterload.moc"
