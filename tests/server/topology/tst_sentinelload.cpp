// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/failoversteps.h"
#include "tests/support/redissentinel.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// A Sentinel group under load, whose master dies while it is looked at or acted on.
class TestSentinelLoad : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_group.setQuick();
        QVERIFY(m_group.start());
    }
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
    static constexpr int locks = 1000;

    RedisSentinel m_group;
    std::unique_ptr<FaultProxy> m_proxy;
    std::unique_ptr<WritingLoad> m_load;
    FailingDeployment m_deployment;
    int m_master = 0; ///< before it dies
    int m_now = 0;
    bool m_dead = false;
};

void TestSentinelLoad::init()
{
    m_master = m_now = m_group.masterIndex();
    QVERIFY(m_master >= 0);
    m_dead = false;
    m_group.line(m_master, "FLUSHALL");
    m_group.line(m_master, "SCRIPT FLUSH");
    RedisServer& master = m_group.server(m_master);
    RespClient filler(master.socketPath());
    std::vector<Command> commands{{"RPUSH", "jobs", "a", "b"}};
    for (int i = 0; i < locks; ++i)
        commands.push_back({"SET", "lock:" + QByteArray::number(i), "me", "PX", "6000000"});
    filler.runAll(commands);
    m_proxy = std::make_unique<FaultProxy>(master.socketPath());
    const QString local = u"127.0.0.1"_s;
    m_deployment = {};
    m_deployment.url = m_group.url();
    m_deployment.url.addressMap = {{m_group.addressOf(m_master), {local, m_proxy->url().port}}};
    m_deployment.proxy = m_proxy.get();
    m_deployment.lock = "lock:7";
    m_deployment.queue = "jobs";
    m_deployment.locks = locks;
    m_deployment.ask = [this](const Command& command) {
        RespClient client(m_group.server(m_now).socketPath());
        return client.run(command);
    };
    m_deployment.caughtUp = [this] {
        RespClient client(m_group.server(m_now).socketPath()); // WAIT is about own writes
        return client.runAll({{"SET", "noise:own", "...", "PX", "60000"}, {"WAIT", "2", "1000"}})
                   .back()
                   .integer == 2;
    };
    m_deployment.kill = [this] {
        m_group.killMaster();
        m_dead = true;
    };
    m_deployment.waitForTheOther = [this] {
        const bool other = m_group.waitForOtherMaster(m_master);
        m_now = m_group.masterIndex();
        return other && m_now >= 0;
    };
    m_deployment.saysWhatLacks = [](const TakenSnapshot& taken) {
        return !taken.snapshot->scan.missing.empty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(m_deployment.caughtUp(), failoverPatienceMs);
    QStringList sockets;
    for (int i = 0; i < RedisSentinel::size; ++i)
        sockets << m_group.server(i).socketPath();
    m_load = std::make_unique<WritingLoad>(sockets);
    QTRY_VERIFY_WITH_TIMEOUT(m_load->written() > 1000, failoverPatienceMs);
}

void TestSentinelLoad::cleanup()
{
    const qint64 before = m_load ? m_load->written() : 0;
    if (!QTest::currentTestFailed()) // it has gone on all the time
        QTRY_VERIFY_WITH_TIMEOUT(m_load->written() > before, failoverPatienceMs);
    m_load.reset();
    m_proxy.reset();
    if (m_dead)
        QVERIFY(m_group.startKilled());
}

LK_TEST(TestSentinelLoad);
#include "tst_sentinelload.moc"
