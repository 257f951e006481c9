// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/livesession.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/faultproxy.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// The network between the console and one master is cut without a word: no packet comes back, and
/// no connection is closed. The cluster itself is well.
class TestClusterPartition : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void isSaidByNameAndHeals();
    void aSnapshotIsNotComplete();

private:
    static constexpr int cut = 2; ///< the node behind the proxy

    bool isNamed(const std::vector<Missing>& all) const
    {
        return std::any_of(all.begin(), all.end(), [this](const Missing& missing) {
            return missing.cause == Missing::Cause::NodeDown &&
                   missing.detail.endsWith(QString::number(m_cluster->node(cut).port()));
        });
    }

    std::unique_ptr<RedisCluster> m_cluster;
    std::unique_ptr<FaultProxy> m_proxy;
    ServerUrl m_url;
    QByteArrayList m_names; ///< the names of a lock on each node
};

void TestClusterPartition::init()
{
    m_proxy.reset();
    m_cluster = std::make_unique<RedisCluster>();
    QVERIFY(m_cluster->start());
    m_proxy = std::make_unique<FaultProxy>(m_cluster->node(cut).socketPath());
    m_url = m_cluster->node(0).tcpUrl();
    const QString local = u"127.0.0.1"_s;
    m_url.addressMap = {{{local, m_cluster->node(cut).port()}, {local, m_proxy->url().port}}};
    m_names.clear();
    for (int i = 0; i < RedisCluster::size; ++i) {
        m_names << m_cluster->nameOn(i, "lock:");
        m_cluster->node(i).run({"SET", m_names.back(), "ef1f63c", "PX", "6000000"});
    }
}

void TestClusterPartition::isSaidByNameAndHeals()
{
    LiveSession live(m_url);
    QTRY_COMPARE_WITH_TIMEOUT(live.size(), 3, 30'000);
    QTRY_COMPARE_WITH_TIMEOUT(live->report().coverage, u"3 masters, all slots"_s, 30'000);

    m_proxy->stall();
    QTRY_VERIFY_WITH_TIMEOUT(isNamed(live->report().scan.missing), 60'000);
    QVERIFY(live->report().coverage.startsWith(u"2 of 3 masters"_s));
    QCOMPARE(live->status().phase, ConnectionStatus::Phase::Ready); // the others go on
    m_cluster->node(0).run({"SET", m_names[0], "meanwhile", "PX", "6000000"});
    QTRY_COMPARE_WITH_TIMEOUT(live.owner(m_names[0]), QByteArray("meanwhile"), 30'000);
    const QByteArray added = m_cluster->nameOn(cut, "lock:added:");
    m_cluster->node(cut).run({"SET", added, "w2", "PX", "6000000"});

    m_proxy->heal();
    m_proxy->cutNow(); // what was held for so long is not answered any more
    QTRY_COMPARE_WITH_TIMEOUT(live->report().coverage, u"3 masters, all slots"_s, 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(!isNamed(live->report().scan.missing), 60'000);
    QTRY_COMPARE_WITH_TIMEOUT(live.owner(added), QByteArray("w2"), 60'000);
    QCOMPARE(live.size(), 4);
    for (const QByteArray& name : m_names)
        QCOMPARE(live.count(name), 1);
}

void TestClusterPartition::aSnapshotIsNotComplete()
{
    m_proxy->stall();
    const TakenSnapshot partial = takeSnapshot(m_url);
    QVERIFY2(partial.snapshot, qPrintable(partial.error.detail));
    QVERIFY(isNamed(partial.snapshot->scan.missing));
    QVERIFY(!partial.snapshot->scan.whole());
    QCOMPARE(partial.list("locks").size(), 2);
    m_proxy->heal();
    const TakenSnapshot whole = takeSnapshot(m_url);
    QVERIFY(whole.snapshot);
    QVERIFY(whole.snapshot->scan.whole());
    QCOMPARE(whole.list("locks").size(), 3);
}

LK_TEST(TestClusterPartition);
#include "tst_clusterpartition.moc"
