// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/check/connectioncheck.h"
#include "backend/redis/topology/keyslot.h"
#include "backend/text/errortext.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>

#include <set>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int locks = 20'000;

/// As it ends; during is told what part was scanned.
struct Taken
{
    std::shared_ptr<const Snapshot> snapshot;
    Error error;
};

Taken takeWhile(const ServerUrl& url, const std::function<void(double)>& during)
{
    const SystemClock clock;
    Taken taken;
    QEventLoop loop;
    SnapshotTaker taker(url, {}, clock);
    QObject::connect(&taker, &SnapshotTaker::finished, &loop,
                     [&](const std::shared_ptr<const Snapshot>& snapshot) {
                         taken.snapshot = snapshot;
                         loop.quit();
                     });
    QObject::connect(&taker, &SnapshotTaker::failed, &loop, [&](const Error& error) {
        taken.error = error;
        loop.quit();
    });
    QObject::connect(&taker, &SnapshotTaker::progressed, &loop,
                     [&](qint64 scanned, qint64) { during(double(scanned) / locks); });
    taker.start();
    loop.exec();
    return taken;
}

// The number of times that the node refused TYPE.
qint64 refusedTypes(RedisServer& node)
{
    for (const QByteArray& line : node.line("INFO commandstats").text.split('\n')) {
        const qsizetype at = line.indexOf("rejected_calls=");
        if (line.startsWith("cmdstat_type:") && at > 0)
            return line.mid(at + 15).split(',').front().toLongLong();
    }
    return 0;
}

} // namespace

/// A cluster that changes, or is down, while it is looked at.
class TestClusterChanges : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<RedisCluster> m_cluster;

    /// All keys are on the first node.
    void fill()
    {
        std::vector<Command> commands;
        for (int i = 0; int(commands.size()) < locks; ++i) {
            const QByteArray name = "lock:" + QByteArray::number(i);
            if (RedisCluster::nodeOfSlot(keySlot(name)) == 0)
                commands.push_back({"SET", name, "ef1f63c", "PX", "6000000"});
        }
        m_cluster->node(0).runAll(commands);
    }

private slots:
    void init()
    {
        m_cluster = std::make_unique<RedisCluster>();
        QVERIFY(m_cluster->start());
    }

    void slotsLeaveAndComeBackDuringAScan();
    void allMastersAreReplacedDuringAScan();
    void theFirstRefusalEndsTheScanOfAClusterThatIsDown();
    void aSlotThatNoNodeServesIsAFinding();
    void aSlotThatWasLeftOpenIsAFinding();
};

// The scan passes over them while they are elsewhere, where it has been already.
void TestClusterChanges::slotsLeaveAndComeBackDuringAScan()
{
    fill();
    std::set<int> slots_;
    QByteArrayList moving;
    for (int i = 0; moving.size() < 60; ++i) {
        const QByteArray name = "lock:" + QByteArray::number(i);
        const int slot = keySlot(name);
        if (RedisCluster::nodeOfSlot(slot) == 0 && slots_.insert(slot).second)
            moving << name;
    }
    int step = 0;
    const auto moveAll = [&](int to) {
        for (const QByteArray& name : moving)
            QVERIFY(m_cluster->moveSlotOf(name, to));
    };
    const Taken taken = takeWhile(m_cluster->node(0).tcpUrl(), [&](double part) {
        if (step == 0 && part > 0.1 && ++step == 1)
            moveAll(1);
        else if (step == 1 && part > 0.8 && ++step == 2)
            moveAll(0);
    });
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QCOMPARE(step, 2);
    QVERIFY(taken.snapshot->scan.complete);
    QCOMPARE(taken.snapshot->states.size(), size_t(locks));
}

// As when it is upgraded node by node: none of those that were there first has data any more.
void TestClusterChanges::allMastersAreReplacedDuringAScan()
{
    QVERIFY(m_cluster->addReplicas());
    fill();
    QVERIFY(QTest::qWaitFor([&] { return m_cluster->replica(0).line("DBSIZE").integer == locks; },
                            30'000));
    bool replaced = false;
    const Taken taken = takeWhile(m_cluster->node(0).tcpUrl(), [&](double part) {
        if (part < 0.2 || std::exchange(replaced, true))
            return;
        for (int i = 0; i < RedisCluster::size; ++i)
            QCOMPARE(m_cluster->replica(i).line("CLUSTER FAILOVER TAKEOVER").text, "OK");
        for (int i = 0; i < RedisCluster::size; ++i)
            QVERIFY(RedisCluster::waitForReplica(m_cluster->node(i)));
    });
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QVERIFY(replaced);
    QVERIFY(taken.snapshot->scan.complete);
    QCOMPARE(taken.snapshot->states.size(), size_t(locks));
}

void TestClusterChanges::theFirstRefusalEndsTheScanOfAClusterThatIsDown()
{
    fill();
    m_cluster->node(2).stop();
    QVERIFY(QTest::qWaitFor(
        [&] {
            return m_cluster->node(0).line("CLUSTER INFO").text.contains("cluster_state:fail") &&
                   m_cluster->node(1).line("CLUSTER INFO").text.contains("cluster_state:fail");
        },
        60'000));
    const QString dead = u"127.0.0.1:%1"_s.arg(m_cluster->node(2).port());
    const TakenSnapshot taken = takeSnapshot(m_cluster->node(0).tcpUrl());
    QVERIFY(!taken.snapshot);
    QCOMPARE(taken.error.code, ErrorCode::ClusterDown);
    const QString said = errorText(taken.error);
    QVERIFY2(said.contains(dead) && said.contains(u"10923-16383"), qPrintable(said));
    const qint64 refused = refusedTypes(m_cluster->node(0));
    QVERIFY2(refused > 0 && refused < locks / 4, QByteArray::number(refused).constData());

    ConnectionCheck check(m_cluster->node(0).tcpUrl(), 10'000);
    QSignalSpy finished(&check, &ConnectionCheck::finished);
    check.start();
    QVERIFY(finished.wait(30'000));
    QVERIFY(check.hasFailed());
    QVERIFY2(check.stages().back().text.contains(dead), qPrintable(check.stages().back().text));
}

void TestClusterChanges::aSlotThatNoNodeServesIsAFinding()
{
    for (int i = 0; i < RedisCluster::size; ++i)
        m_cluster->node(i).lines(
            {"CONFIG SET cluster-require-full-coverage no", "CLUSTER DELSLOTS 5"});
    QVERIFY(QTest::qWaitFor(
        [&] {
            return m_cluster->node(1)
                .line("CLUSTER INFO")
                .text.contains("cluster_slots_assigned:16383");
        },
        30'000));
    const TakenSnapshot taken = takeSnapshot(m_cluster->node(0).tcpUrl());
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QVERIFY2(taken.json.contains("\"slots-unserved\""), taken.json.constData());
    QVERIFY2(taken.text.contains("no node serves slots 5"), taken.text.constData());
    ConnectionCheck check(m_cluster->node(0).tcpUrl(), 10'000);
    QSignalSpy finished(&check, &ConnectionCheck::finished);
    check.start();
    QVERIFY(finished.wait(30'000));
    QVERIFY(check.hasWarnings() && !check.hasFailed());
}

// The migration was aborted: nothing else reports it, and scripts there fail now and then.
void TestClusterChanges::aSlotThatWasLeftOpenIsAFinding()
{
    const QByteArray name = "lock:left";
    QVERIFY(m_cluster->migrateSlotOf(name, RedisCluster::nodeOfSlot(keySlot(name)) == 0 ? 1 : 0));
    const TakenSnapshot taken = takeSnapshot(m_cluster->node(2).tcpUrl());
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QVERIFY2(taken.json.contains("\"slot-migrating\""), taken.json.constData());
    const QByteArray slot = QByteArray::number(keySlot(name));
    QVERIFY2(taken.text.contains("Slots being migrated: 1 (" + slot + " from "),
             taken.text.constData());
}

LK_TEST(TestClusterChanges);
#include "tst_clusterchanges.moc"
