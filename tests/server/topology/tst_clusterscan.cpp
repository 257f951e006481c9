// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/keyslot.h"
#include "backend/text/errortext.h"
#include "tests/server/failoversteps.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"

#include <QTimer>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

/// Moves the slots of so many keys to one node between the steps of a scan, until this ends.
class Mover final
{
public:
    Mover(RedisCluster& cluster, RedisServer& target, int slots_)
        : m_cluster(cluster)
        , m_target(target)
        , m_left(slots_)
    {
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { move(); });
        m_timer.start(0);
    }

    int moved() const { return m_moved; }
    int left() const { return m_left; }

private:
    void move()
    {
        for (int i = 0; i < 3 && m_left > 0; ++i, --m_left, ++m_moved) {
            const QByteArray name = "lock:" + QByteArray::number(next++ * 7 % 3000);
            if (!m_cluster.moveSlotOf(name, m_target))
                qFatal("a slot could not be moved");
        }
    }

    static inline int next = 0; // of all: not twice the same

    RedisCluster& m_cluster;
    RedisServer& m_target;
    QTimer m_timer;
    int m_moved = 0;
    int m_left;
};

} // namespace

/// A cluster as a whole: what is on any node is found, once, also while slots move.
class TestClusterScan : public QObject
{
    Q_OBJECT

private:
    RedisCluster m_cluster;
    static constexpr int locks = 3000;

    QStringList sockets() const
    {
        return {m_cluster.node(0).socketPath(), m_cluster.node(1).socketPath(),
                m_cluster.node(2).socketPath()};
    }
    static void hasAllLocks(const TakenSnapshot& taken)
    {
        QByteArrayList names = taken.names("locks");
        QCOMPARE(names.size(), locks);
        std::sort(names.begin(), names.end());
        QVERIFY(std::adjacent_find(names.begin(), names.end()) == names.end());
        QVERIFY2(taken.scan()["complete"_L1].toBool(), taken.json.left(3000).constData());
        QVERIFY(taken.scan()["missing"_L1].toArray().isEmpty());
    }

private slots:
    void initTestCase()
    {
        QVERIFY(m_cluster.start());
        std::array<std::vector<Command>, RedisCluster::size> commands;
        for (int i = 0; i < locks; ++i) {
            const QByteArray name = "lock:" + QByteArray::number(i);
            commands[size_t(RedisCluster::nodeOfSlot(keySlot(name)))].push_back(
                {"SET", name, "ef1f63c" + QByteArray::number(i), "PX", "6000000"});
        }
        for (int i = 0; i < RedisCluster::size; ++i) {
            m_cluster.node(i).runAll(commands[size_t(i)]);
            m_cluster.node(i).line("CONFIG SET cluster-require-full-coverage no");
        }
    }

    void aSnapshotHasAllNodes();
    void theWindowHasAllNodes();
    void slotsMoveDuringASnapshot_data();
    void slotsMoveDuringASnapshot();
    void aSlotThatStaysOnItsWay();
    void aFrozenNodeIsMissingByName();
    void aFrozenNodeLeavesTheOthersTheirFeed();
    void onlyANodeWithoutAFeedIsPolled();
    void slotsMoveUnderTheWindow();
    void slotsMoveToANewNode();
};

void TestClusterScan::aSnapshotHasAllNodes()
{
    const TakenSnapshot taken = takeSnapshot(m_cluster.node(1).tcpUrl());
    QVERIFY(taken.snapshot);
    QCOMPARE(taken.list("locks").size(), locks);
    QVERIFY(taken.scan()["complete"_L1].toBool());
    QVERIFY(taken.scan()["missing"_L1].toArray().isEmpty());
    QCOMPARE(taken.scan()["keys_scanned"_L1].toInt(), locks);
    const QJsonObject server = taken.root["server"_L1].toObject();
    QCOMPARE(server["mode"_L1].toString(), u"cluster"_s);
    const QJsonArray nodes = server["nodes"_L1].toArray();
    QCOMPARE(nodes.size(), 3);
    int slots_ = 0;
    int scanned = 0;
    for (const QJsonValue& node : nodes) {
        QVERIFY(node["reachable"_L1].toBool());
        QCOMPARE(node["role"_L1].toString(), u"master"_s);
        slots_ += node["slots"_L1].toInt();
        scanned += node["keys_scanned"_L1].toInt();
    }
    QCOMPARE(slots_, 16384);
    QCOMPARE(scanned, locks);
}

void TestClusterScan::theWindowHasAllNodes()
{
    LiveSession live(m_cluster.node(0).tcpUrl());
    QTRY_COMPARE_WITH_TIMEOUT(live.size(), locks, 30'000);
    QTRY_COMPARE_WITH_TIMEOUT(live->report().coverage, u"3 masters, all slots"_s, 20'000);
    QCOMPARE(live->report().nodes.size(), size_t(3));
    QTRY_COMPARE_WITH_TIMEOUT(live->report().feed.mode, FeedStatus::Mode::Tracking, 10'000);
    // Notifications of all nodes arrive.
    for (int i = 0; i < RedisCluster::size; ++i) {
        const QByteArray name = m_cluster.nameOn(i, "lock:9");
        m_cluster.node(i).run({"SET", name, "somebodyelse", "PX", "600000"});
        QTRY_COMPARE_WITH_TIMEOUT(live.owner(name), QByteArray("somebodyelse"), 20'000);
    }
    for (int i = 0; i < RedisCluster::size; ++i) {
        const QByteArray name = m_cluster.nameOn(i, "lock:9");
        const int number = name.mid(5).toInt();
        if (number < locks)
            m_cluster.node(i).run(
                {"SET", name, "ef1f63c" + QByteArray::number(number), "PX", "6000000"});
        else
            m_cluster.node(i).run({"DEL", name});
    }
}

void TestClusterScan::slotsMoveDuringASnapshot_data()
{
    QTest::addColumn<bool>("busy");
    QTest::addColumn<QByteArray>("denied");
    QTest::newRow("while nobody else does anything") << false << QByteArray();
    QTest::newRow("by a user who may not ask for the nodes")
        << false << QByteArray("cluster|nodes");
    QTest::newRow("while others write to all nodes") << true << QByteArray();
}

// A key that is given on after its new node was scanned there is found all the same, and one that
// both brought is there once.
void TestClusterScan::slotsMoveDuringASnapshot()
{
    QFETCH(bool, busy);
    QFETCH(QByteArray, denied);
    const auto load = busy ? std::make_unique<WritingLoad>(sockets()) : nullptr;
    QTRY_VERIFY_WITH_TIMEOUT(!load || load->written() > 1000, 20'000);
    for (int round = 0; round < 3; ++round) {
        ServerUrl url = m_cluster.node(round).tcpUrl();
        if (!denied.isEmpty()) {
            for (int i = 0; i < RedisCluster::size; ++i)
                m_cluster.node(i).line("ACL SETUSER mover on nopass ~* &* +@all -" + denied);
            url.user = u"mover"_s;
            url.password = u"any"_s;
        }
        // One target in each: two at once may both take a slot, by their epochs.
        Mover mover(m_cluster, m_cluster.node(round), 200);
        const TakenSnapshot taken = takeSnapshot(url);
        QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
        QVERIFY(mover.moved() > 0);
        hasAllLocks(taken);
        if (!busy)
            QCOMPARE(taken.scan()["keys_scanned"_L1].toInt(), locks);
        QTRY_VERIFY_WITH_TIMEOUT(m_cluster.agrees(), 20'000);
    }
}

void TestClusterScan::slotsMoveUnderTheWindow()
{
    const WritingLoad load(sockets());
    QTRY_VERIFY_WITH_TIMEOUT(load.written() > 1000, 20'000);
    for (int round = 0; round < 3; ++round) {
        LiveSession live(m_cluster.node(0).tcpUrl());
        QTRY_VERIFY_WITH_TIMEOUT(live.isReady(), 20'000);
        Mover mover(m_cluster, m_cluster.node(round), 200);
        QTRY_VERIFY_WITH_TIMEOUT(live.scanned(), 60'000);
        QVERIFY(mover.moved() > 0);
        QCOMPARE(lockCount(live), locks);
        QTRY_COMPARE_WITH_TIMEOUT(mover.left(), 0, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(m_cluster.agrees(), 20'000);
        QVERIFY(live.seconds(3));
        QCOMPARE(lockCount(live), locks);
    }
}

// As after "redis-cli --cluster add-node": its first slot is whole while the scan goes on.
void TestClusterScan::slotsMoveToANewNode()
{
    RedisServer* fresh = m_cluster.addMaster();
    QVERIFY(fresh);
    {
        Mover mover(m_cluster, *fresh, 200);
        const TakenSnapshot taken = takeSnapshot(m_cluster.node(0).tcpUrl());
        QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
        QVERIFY(mover.moved() > 0);
        hasAllLocks(taken);
    }
    LiveSession live(m_cluster.node(0).tcpUrl());
    QTRY_COMPARE_WITH_TIMEOUT(lockCount(live), locks, 60'000);
    QTRY_COMPARE_WITH_TIMEOUT(live->report().coverage, u"4 masters, all slots"_s, 20'000);
}

// As where a reshard was given up: half of it here, half of it there, and that for good.
void TestClusterScan::aSlotThatStaysOnItsWay()
{
    QTRY_VERIFY_WITH_TIMEOUT(m_cluster.agrees(), 20'000);
    const TakenSnapshot before = takeSnapshot(m_cluster.node(0).tcpUrl());
    QVERIFY(before.snapshot);
    const QByteArray given = "lock:5";
    RedisServer& from = m_cluster.ownerOf(given);
    const int to = &from == &m_cluster.node(1) ? 2 : 1;
    QVERIFY(m_cluster.migrateSlotOf(given, to));
    const Reply moved =
        from.run({"MIGRATE", "127.0.0.1", QByteArray::number(m_cluster.node(to).port()), given, "0",
                  "5000"});
    QCOMPARE(moved.text, QByteArray("OK"));
    const TakenSnapshot taken = takeSnapshot(m_cluster.node(0).tcpUrl());
    QVERIFY(taken.snapshot);
    QCOMPARE(taken.list("locks").size(), locks);
    QVERIFY(taken.names("locks").contains(given));
    QVERIFY(taken.scan()["complete"_L1].toBool());
    QVERIFY(taken.scan()["missing"_L1].toArray().isEmpty());
    // Two nodes are scanned once more, and no oftener.
    QVERIFY2(taken.snapshot->scan.commands < 2 * before.snapshot->scan.commands,
             QByteArray::number(taken.snapshot->scan.commands).constData());
    QVERIFY(m_cluster.moveSlotOf(given, to)); // to its end, for the tests that follow
    QTRY_VERIFY_WITH_TIMEOUT(m_cluster.agrees(), 20'000);
}

void TestClusterScan::aFrozenNodeIsMissingByName()
{
    // Primitives that are declared by their full name are read, scanned or not.
    const Config config = configOf("[[lock]]\nkey = \"" + m_cluster.nameOn(2, "declared:") +
                                   "\"\nlayout = \"set-nx-px\"\n");
    m_cluster.node(2).freeze();
    const TakenSnapshot taken = takeSnapshot(m_cluster.node(0).tcpUrl(), config, {}, 60'000);
    m_cluster.node(2).thaw();
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QVERIFY(!taken.list("locks").isEmpty());
    QVERIFY(taken.list("locks").size() < locks);
    QVERIFY(!taken.scan()["complete"_L1].toBool(true));
    const QJsonArray missing = taken.scan()["missing"_L1].toArray();
    QCOMPARE(missing.size(), 1); // it is one reason, whatever was asked of it
    QCOMPARE(missing[0]["cause"_L1].toString(), u"node-down"_s);
    QVERIFY(taken.json.contains(QByteArray::number(m_cluster.node(2).port())));
    QVERIFY2(taken.text.contains("does not answer"), taken.text.constData());
}

void TestClusterScan::aFrozenNodeLeavesTheOthersTheirFeed()
{
    LiveSession live(m_cluster.node(0).tcpUrl());
    const auto mode = [&] { return live->report().feed.mode; };
    QTRY_COMPARE_WITH_TIMEOUT(mode(), FeedStatus::Mode::Tracking, 30'000);
    const auto memoryOf = [&](int node) {
        const std::vector<NodeFacts>& nodes = live->report().nodes;
        const auto it = std::find_if(nodes.begin(), nodes.end(), [&](const NodeFacts& facts) {
            return facts.endpoint == u"127.0.0.1:%1"_s.arg(m_cluster.node(node).port());
        });
        return it == nodes.end() ? std::optional<qint64>() : it->memoryBytes;
    };
    QTRY_VERIFY_WITH_TIMEOUT(memoryOf(1) && memoryOf(2), 30'000);
    m_cluster.node(2).freeze();
    QTRY_VERIFY_WITH_TIMEOUT(live->report().coverage.startsWith(u"2 of 3"_s), 30'000);
    const bool heard = live.seconds(2) && mode() == FeedStatus::Mode::Tracking;
    const std::optional<qint64> known = memoryOf(1);
    const std::optional<qint64> stale = memoryOf(2);
    m_cluster.node(2).thaw();
    QVERIFY(heard);
    QVERIFY(known && !stale); // what it told before is not of now
    QTRY_COMPARE_WITH_TIMEOUT(live->report().coverage, u"3 masters, all slots"_s, 60'000);
    QTRY_COMPARE_WITH_TIMEOUT(mode(), FeedStatus::Mode::Tracking, 30'000);
}

// A user who may not use tracking, and notifications that are on where somebody turned them on.
void TestClusterScan::onlyANodeWithoutAFeedIsPolled()
{
    for (int i = 0; i < RedisCluster::size; ++i)
        m_cluster.node(i).lines({"ACL SETUSER reader on nopass ~* &* +@all -client|tracking",
                                 i == 2 ? "CONFIG SET notify-keyspace-events \"\""
                                        : "CONFIG SET notify-keyspace-events KA"});
    ServerUrl url = m_cluster.node(0).tcpUrl();
    url.user = u"reader"_s;
    url.password = u"any"_s;
    LiveSession live(url);
    QTRY_COMPARE_WITH_TIMEOUT(live.size(), locks, 30'000);
    QTRY_COMPARE_WITH_TIMEOUT(live.feed().mode, FeedStatus::Mode::Notifications, 20'000);
    QCOMPARE(live.feed().polled, QStringList{u"127.0.0.1:%1"_s.arg(m_cluster.node(2).port())});
    QVERIFY(!live.feed().reason.isEmpty());
    // States read before the feed began are read once more, within half a minute. After that the
    // other nodes get no reads.
    const auto reads = [&](int node) { return commandCalls(m_cluster.node(node)).value("pttl"); };
    const auto inTheNext = [&](int seconds) {
        std::array<qint64, RedisCluster::size> before{};
        for (int i = 0; i < RedisCluster::size; ++i)
            before[size_t(i)] = reads(i);
        live.seconds(seconds);
        for (int i = 0; i < RedisCluster::size; ++i)
            before[size_t(i)] = reads(i) - before[size_t(i)];
        return before;
    };
    std::array<qint64, RedisCluster::size> calls{};
    const bool apart = QTest::qWaitFor(
        [&] {
            calls = inTheNext(3);
            return calls[2] > 4 * std::max<qint64>(1, std::max(calls[0], calls[1]));
        },
        90'000);
    QVERIFY2(apart, qPrintable(u"%1 %2 %3"_s.arg(calls[0]).arg(calls[1]).arg(calls[2])));
    // Changes on any node are still reported or read.
    for (int i = 0; i < RedisCluster::size; ++i) {
        const QByteArray name = m_cluster.nameOn(i, "lock:4");
        m_cluster.ownerOf(name).run({"SET", name, "somebodyelse", "PX", "600000"});
        QTRY_COMPARE_WITH_TIMEOUT(live.owner(name), QByteArray("somebodyelse"), 60'000);
    }
}

LK_TEST(TestClusterScan);
#include "tst_clusterscan.moc"
