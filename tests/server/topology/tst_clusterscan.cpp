// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/keyslot.h"
#include "backend/text/errortext.h"
#include "tests/server/livesession.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/rediscluster.h"

#include <QTimer>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// A cluster as a whole: what is on any node is found, once, also while slots move.
class TestClusterScan : public QObject
{
    Q_OBJECT

private:
    RedisCluster m_cluster;
    static constexpr int locks = 3000;

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
    void slotsMoveDuringASnapshot();
    void aSlotThatStaysOnItsWay();
    void aFrozenNodeIsMissingByName();
    void aFrozenNodeLeavesTheOthersTheirFeed();
    void onlyANodeWithoutAFeedIsPolled();
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
    QCOMPARE(server["mode"_L1].toString(), u"cluster"_qs);
    const QJsonArray nodes = server["nodes"_L1].toArray();
    QCOMPARE(nodes.size(), 3);
    int slots_ = 0;
    int scanned = 0;
    for (const QJsonValue& node : nodes) {
        QVERIFY(node["reachable"_L1].toBool());
        QCOMPARE(node["role"_L1].toString(), u"master"_qs);
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
    QTRY_COMPARE_WITH_TIMEOUT(live->report().coverage, u"3 masters, all slots"_qs, 20'000);
    QCOMPARE(live->report().nodes.size(), size_t(3));
    QTRY_COMPARE_WITH_TIMEOUT(live->report().feed.mode, FeedStatus::Mode::Tracking, 10'000);
    // What any node says of a change is heard.
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

// A key that is given on after its new node was walked there is found all the same, and one that
// both brought is there once.
void TestClusterScan::slotsMoveDuringASnapshot()
{
    int target = 0; // one in each round: two at once may both take a slot, by their epochs
    int moved = 0;
    int left = 0;
    QTimer mover; // with the scan's own steps in between
    connect(&mover, &QTimer::timeout, this, [&] {
        for (int i = 0; i < 3 && left > 0; ++i, --left, ++moved) {
            const QByteArray name = "lock:" + QByteArray::number(moved * 7 % locks);
            if (!m_cluster.moveSlotOf(name, target))
                qFatal("a slot could not be moved");
        }
    });
    mover.start(0);
    for (int round = 0; round < 3; ++round) {
        target = round;
        left = 200;
        const TakenSnapshot taken = takeSnapshot(m_cluster.node(round).tcpUrl());
        QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
        QVERIFY(left < 200);
        QByteArrayList names = taken.names("locks");
        QCOMPARE(names.size(), locks);
        std::sort(names.begin(), names.end());
        QVERIFY(std::adjacent_find(names.begin(), names.end()) == names.end());
        QVERIFY(taken.scan()["complete"_L1].toBool());
        QCOMPARE(taken.scan()["keys_scanned"_L1].toInt(), locks);
        QTRY_VERIFY_WITH_TIMEOUT(m_cluster.agrees(), 20'000);
    }
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
    // Two nodes are walked once more, and no oftener.
    QVERIFY2(taken.snapshot->scan.commands < 2 * before.snapshot->scan.commands,
             QByteArray::number(taken.snapshot->scan.commands).constData());
    QVERIFY(m_cluster.moveSlotOf(given, to)); // to its end, for the tests that follow
    QTRY_VERIFY_WITH_TIMEOUT(m_cluster.agrees(), 20'000);
}

void TestClusterScan::aFrozenNodeIsMissingByName()
{
    // Of what is declared by its plain name each is asked for, scanned or not.
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
    QCOMPARE(missing[0]["cause"_L1].toString(), u"node-down"_qs);
    QVERIFY(taken.json.contains(QByteArray::number(m_cluster.node(2).port())));
    QVERIFY2(taken.text.contains("does not answer"), taken.text.constData());
}

void TestClusterScan::aFrozenNodeLeavesTheOthersTheirFeed()
{
    LiveSession live(m_cluster.node(0).tcpUrl());
    const auto mode = [&] { return live->report().feed.mode; };
    QTRY_COMPARE_WITH_TIMEOUT(mode(), FeedStatus::Mode::Tracking, 30'000);
    m_cluster.node(2).freeze();
    QTRY_VERIFY_WITH_TIMEOUT(live->report().coverage.startsWith(u"2 of 3"_qs), 30'000);
    const bool heard = live.seconds(2) && mode() == FeedStatus::Mode::Tracking;
    m_cluster.node(2).thaw();
    QVERIFY(heard);
    QTRY_COMPARE_WITH_TIMEOUT(live->report().coverage, u"3 masters, all slots"_qs, 60'000);
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
    url.user = u"reader"_qs;
    url.password = u"any"_qs;
    LiveSession live(url);
    QTRY_COMPARE_WITH_TIMEOUT(live.size(), locks, 30'000);
    QTRY_COMPARE_WITH_TIMEOUT(live.feed().mode, FeedStatus::Mode::Notifications, 20'000);
    QCOMPARE(live.feed().polled, QStringList{u"127.0.0.1:%1"_qs.arg(m_cluster.node(2).port())});
    QVERIFY(!live.feed().reason.isEmpty());
    // What was read before the feed began is read once more, within half a minute: after that the
    // others are left in peace.
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
    QVERIFY2(apart, qPrintable(u"%1 %2 %3"_qs.arg(calls[0]).arg(calls[1]).arg(calls[2])));
    // What any of them has is heard of, or read, all the same.
    for (int i = 0; i < RedisCluster::size; ++i) {
        const QByteArray name = m_cluster.nameOn(i, "lock:4");
        m_cluster.node(i).run({"SET", name, "somebodyelse", "PX", "600000"});
        QTRY_COMPARE_WITH_TIMEOUT(live.owner(name), QByteArray("somebodyelse"), 60'000);
    }
}

QTEST_GUILESS_MAIN(TestClusterScan)
#include "tst_clusterscan.moc"
