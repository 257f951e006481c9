// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/slotpoll.h"
#include "tests/server/livesession.h"
#include "tests/support/guisecluster.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int patienceMs = 30'000;
const QByteArray redis82 = "redis_version:8.2.3";
const QByteArray valkey80 = "redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.4";
const QByteArray notCounted = "-ERR Unrecognized sort metric for ORDERBY.\r\n";

} // namespace

/// Which slots of a cluster have most to do, as the versions tell it that know.
class TestSlotLoad : public QObject
{
    Q_OBJECT

private slots:
    void hottestFirst();
    void largestWhereNoTimeIsCounted();
    void whoRefusesIsNotAskedAgain();
    void whoDoesNotKnowIsNotAsked_data();
    void whoDoesNotKnowIsNotAsked();
    void whatIsNoEntryIsLeftOut();
};

// A slot that was busy long ago has more CPU time than one that is busy now.
void TestSlotLoad::hottestFirst()
{
    GuiseCluster cluster;
    std::array<qint64, RedisCluster::size> turns{};
    const auto knows = [&turns](int node, const Command& command) -> QByteArray {
        if (!asksForSlots(command, "CPU-USEC"))
            return {};
        const qint64 turn = ++turns[size_t(node)];
        if (node == 2)
            return "*1\r\n" + slotStatsEntry(16000, {{"key-count", 4}, {"cpu-usec", 0}});
        if (node == 1)
            return "*1\r\n" + slotStatsEntry(8000, {{"key-count", 9},
                                                    {"cpu-usec", 9'000'000},
                                                    {"memory-bytes", 4096},
                                                    {"network-bytes-in", 70},
                                                    {"network-bytes-out", 80}});
        return "*2\r\n" +
               slotStatsEntry(866, {{"key-count", 3}, {"cpu-usec", 1000 + turn * 500'000}}) +
               slotStatsEntry(12, {{"key-count", 1}, {"cpu-usec", 500 + turn}});
    };
    QVERIFY(cluster.start({redis82, {}}, knows));
    LiveSession live(cluster.url());
    const auto loads = [&] { return live->report().slotLoads; };
    QTRY_COMPARE_WITH_TIMEOUT(loads().busiest.size(), size_t(3), patienceMs);
    QVERIFY(!loads().byKeys);
    QTRY_VERIFY_WITH_TIMEOUT(loads().busiest[0].cpuShare.has_value(), patienceMs);
    const std::vector<SlotLoad> hot = loads().busiest;
    QCOMPARE(hot[0].slot, 866);
    QVERIFY(*hot[0].cpuShare > 0);
    QCOMPARE(hot[0].node, cluster.endpoint(0));
    QCOMPARE(hot[0].keys, std::optional<qint64>(3));
    QVERIFY(!hot[0].memoryBytes && !hot[0].bytesIn && !hot[0].bytesOut);
    const auto old = std::find_if(hot.begin(), hot.end(), [](auto& l) { return l.slot == 8000; });
    QVERIFY(old != hot.end());
    QCOMPARE(old->node, cluster.endpoint(1));
    QCOMPARE(old->memoryBytes, std::optional<qint64>(4096));
    QCOMPARE(old->bytesIn, std::optional<qint64>(70));
    QCOMPARE(old->bytesOut, std::optional<qint64>(80));
    for (const SlotLoad& load : hot) // which has done nothing is not among the hottest
        QVERIFY(load.slot != 16000);
}

void TestSlotLoad::largestWhereNoTimeIsCounted()
{
    GuiseCluster cluster;
    const auto knows = [](int node, const Command& command) -> QByteArray {
        if (asksForSlots(command, "CPU-USEC"))
            return notCounted;
        if (!asksForSlots(command, "KEY-COUNT"))
            return {};
        return node == 0 ? "*2\r\n" + slotStatsEntry(5, {{"key-count", 2}}) +
                               slotStatsEntry(6, {{"key-count", 0}})
                         : "*1\r\n" + slotStatsEntry(6000 * node, {{"key-count", 10 * node}});
    };
    QVERIFY(cluster.start({valkey80, {}}, knows));
    LiveSession live(cluster.url());
    const auto loads = [&] { return live->report().slotLoads; };
    QTRY_COMPARE_WITH_TIMEOUT(loads().busiest.size(), size_t(3), patienceMs);
    QVERIFY(loads().byKeys);
    QCOMPARE(loads().busiest[0].slot, 12000);
    QCOMPARE(loads().busiest[1].slot, 6000);
    QCOMPARE(loads().busiest[2].slot, 5);
    QVERIFY(!loads().busiest[0].cpuUsec && !loads().busiest[0].cpuShare);
}

// Refused by its ACL or by its provider: each refusal is a line in the server's ACL LOG.
void TestSlotLoad::whoRefusesIsNotAskedAgain()
{
    GuiseCluster cluster;
    QVERIFY(cluster.start({redis82, {}, {"CLUSTER SLOT-STATS"}}));
    LiveSession live(cluster.url());
    QTRY_COMPARE_WITH_TIMEOUT(cluster.count("CLUSTER SLOT-STATS"), 3, patienceMs);
    QVERIFY(live.seconds(12)); // it would have been asked once more
    QCOMPARE(cluster.count("CLUSTER SLOT-STATS"), 3);
    QVERIFY(live->report().slotLoads.busiest.empty());
    QCOMPARE(live->report().coverage, u"3 masters, all slots"_s);
}

void TestSlotLoad::whoDoesNotKnowIsNotAsked_data()
{
    QTest::addColumn<QByteArray>("info");
    QTest::newRow("redis 7.0") << QByteArray("redis_version:7.0.15");
    QTest::newRow("redis 8.0") << QByteArray("redis_version:8.0.4");
    QTest::newRow("valkey 7.2") << QByteArray(
        "redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:7.2.8");
    QTest::newRow("nobody knows") << QByteArray("redis_version:8.2.3\r\npika_version:4");
}

void TestSlotLoad::whoDoesNotKnowIsNotAsked()
{
    QFETCH(QByteArray, info);
    GuiseCluster cluster;
    QVERIFY(cluster.start({info, {"CLUSTER SLOT-STATS"}}));
    LiveSession live(cluster.url());
    QTRY_COMPARE_WITH_TIMEOUT(live->report().coverage, u"3 masters, all slots"_s, patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(live->report().nodes.front().memoryBytes.has_value(), patienceMs);
    QCOMPARE(cluster.count("CLUSTER SLOT-STATS"), 0);
    QVERIFY(live->report().slotLoads.busiest.empty());
    QVERIFY(!live->report().slotLoads.byKeys);
}

void TestSlotLoad::whatIsNoEntryIsLeftOut()
{
    const auto metrics = Reply::array(
        {Reply::bulk("KEY-COUNT"), Reply::number(2), Reply::bulk("new-metric"), Reply::number(7),
         Reply::bulk("cpu-usec"), Reply::bulk("many"), Reply::bulk("network-bytes-in")});
    const std::vector<SlotLoad> loads = SlotPoll::fromReply(Reply::array(
        {Reply::array({Reply::number(3), metrics}), Reply::number(4),
         Reply::array({Reply::number(16384), metrics}), Reply::array({Reply::number(-1), metrics}),
         Reply::array({Reply::bulk("5"), metrics}), Reply::array({})}));
    QCOMPARE(loads.size(), size_t(1));
    SlotLoad only;
    only.slot = 3;
    only.keys = 2;
    QVERIFY(loads[0] == only);
    QVERIFY(SlotPoll::fromReply(Reply::error("ERR")).empty());
}

LK_TEST(TestSlotLoad);
#include "tst_slotload.moc"
