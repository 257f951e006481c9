// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/keyslot.h"
#include "backend/redis/topology/router.h"
#include "tests/server/askedlink.h"
#include "tests/server/livesession.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/guisecluster.h"
#include "tests/support/testprogram.h"

#include <set>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

QByteArray bulk(const QByteArray& text)
{
    return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
}

} // namespace

/// Clusters that are set up in another way than most, that are not finished, or that say what makes
/// no sense.
class TestOddCluster : public QObject
{
    Q_OBJECT

private slots:
    void nodesThatLeaveTheirHostOut_data();
    void nodesThatLeaveTheirHostOut();
    void mastersThatOthersNameByAnAddressOfTheirOwn();
    void aMasterThatIsNamedAnotherWayWhileItIsRead();
    void oneWithoutSlots();
    void twoThatNameEachOther();
    void mastersThatChangeWithEachAnswer();
    void aMasterWhoseAddressNobodyKnows();
    void aSlotOnItsWayToOneWithoutSlots();
    void theSameForWhoMayOnlyAskForSlots();
    void whoTakesItsFirstSlotAndIsGone();
    void keysThatAreSplitBetweenTwo();
};

void TestOddCluster::nodesThatLeaveTheirHostOut_data()
{
    QTest::addColumn<QByteArray>("preferred");
    QTest::newRow("nothing: whoever answers is on the same host") << QByteArray("unknown-endpoint");
    QTest::newRow("a name that they do not have") << QByteArray("hostname");
}

// A slot that is on its way, and then one that has moved.
void TestOddCluster::nodesThatLeaveTheirHostOut()
{
    QFETCH(QByteArray, preferred);
    RedisCluster cluster;
    QVERIFY(cluster.start());
    for (int i = 0; i < RedisCluster::size; ++i)
        cluster.node(i).run({"CONFIG", "SET", "cluster-preferred-endpoint-type", preferred});
    const QByteArray name = cluster.nameOn(1, "hostless:");
    cluster.node(1).run({"SET", name, "1"});
    Router router(cluster.node(0).tcpUrl());
    QVERIFY(opened(router));
    QCOMPARE(router.nodes().size(), size_t(3));
    QVERIFY(cluster.migrateSlotOf(name, 2));
    const QByteArray port = QByteArray::number(cluster.node(2).port());
    QCOMPARE(cluster.node(1).run({"MIGRATE", "127.0.0.1", port, name, "0", "5000"}).text, "OK");
    const QByteArray told = cluster.node(1).run({"GET", name}).text;
    QVERIFY2(told.startsWith("ASK ") && !told.contains("127.0.0.1"), told.constData());
    const BatchResult onItsWay = ask(router, {{"GET", name}});
    QVERIFY(onItsWay);
    QCOMPARE(onItsWay->front().text, QByteArray("1"));
    QVERIFY(cluster.moveSlotOf(name, 2));
    const BatchResult moved = ask(router, {{"GET", name}});
    QVERIFY(moved);
    QCOMPARE(moved->front().text, QByteArray("1"));
}

// As behind a NAT: what the entry names can be reached, what the others name cannot.
void TestOddCluster::mastersThatOthersNameByAnAddressOfTheirOwn()
{
    GuiseCluster odd;
    QVERIFY(odd.start({}, [&odd](int node, const Command& command) -> QByteArray {
        if (node == 0 || command.args() != std::vector<QByteArray>{"CLUSTER", "NODES"})
            return {};
        QByteArray told = odd.cluster().node(node).run({"CLUSTER", "NODES"}).text;
        return bulk(told.replace("127.0.0.1:", "192.0.2.7:"));
    }));
    QByteArrayList names;
    for (int i = 0; i < RedisCluster::size; ++i) {
        names << odd.cluster().nameOn(i, "lock:");
        odd.cluster().node(i).run({"SET", names.back(), "me", "PX", "600000"});
    }
    const TakenSnapshot taken = takeSnapshot(odd.url());
    QVERIFY2(taken.snapshot, qPrintable(taken.error.detail));
    QVERIFY2(taken.scan()["complete"_L1].toBool(), taken.text.constData());
    QByteArrayList locks = taken.names("locks");
    std::sort(locks.begin(), locks.end());
    std::sort(names.begin(), names.end());
    QCOMPARE(locks, names);
    QVERIFY2(!taken.json.contains("192.0.2.7"), taken.json.constData());

    // A redirection by that address is for a node that is known.
    Router router(odd.url());
    QVERIFY(opened(router));
    bool isRead = false;
    router.refreshMap(&router, [&isRead] { isRead = true; });
    QVERIFY(waitUntil([&] { return isRead; }));
    QCOMPARE(router.nodes().size(), size_t(3));
    const QString port = QString::number(odd.cluster().node(2).port());
    const ClusterMap::Node* named =
        router.map()->at({u"192.0.2.7"_s, quint16(port.toInt()), u"192.0.2.7:"_s + port});
    QVERIFY(named);
    QCOMPARE(named->endpoint, odd.endpoint(2));
}

// On servers alone, and over several rounds: the connections that there are stay.
void TestOddCluster::aMasterThatIsNamedAnotherWayWhileItIsRead()
{
    RedisCluster cluster;
    QVERIFY(cluster.start());
    Router router(cluster.node(0).tcpUrl());
    QVERIFY(opened(router));
    const auto connections = [&router] {
        return std::set<NodeLink*>(router.nodes().begin(), router.nodes().end());
    };
    const std::set<NodeLink*> before = connections();
    for (int i = 0; i < RedisCluster::size; ++i)
        cluster.node(i).run({"CONFIG", "SET", "cluster-announce-ip", "192.0.2.7"});
    for (int i = 0; i < 10; ++i) {
        bool isRead = false;
        router.refreshMap(&router, [&isRead] { isRead = true; });
        QVERIFY(waitUntil([&] { return isRead; }));
        QCOMPARE(connections(), before);
        QVERIFY(router.isReady());
        for (int node = 0; node < RedisCluster::size; ++node) {
            const BatchResult read = ask(router, {{"GET", cluster.nameOn(node, "a")}});
            QVERIFY(read);
            QVERIFY2(read->front().isNil(), read->front().text.constData());
        }
        waitUntil([] { return false; }, 300);
    }
}

// As each is between its start and CLUSTER ADDSLOTS.
void TestOddCluster::oneWithoutSlots()
{
    RedisServer server({u"--cluster-enabled"_s, u"yes"_s});
    server.addTcp();
    QVERIFY(server.start());
    Router router(server.tcpUrl());
    QVERIFY(opened(router));
    QCOMPARE(router.nodes().size(), size_t(1));
    const BatchResult size = ask(router, {{"DBSIZE"}});
    QVERIFY(size);
    QCOMPARE(size->front().integer, 0);
    const TakenSnapshot taken = takeSnapshot(server.tcpUrl());
    QVERIFY2(taken.snapshot, qPrintable(taken.error.detail));
    QCOMPARE(taken.scan()["keys_scanned"_L1].toInt(-1), 0);
    // Once it has them all is as ever.
    server.line("CLUSTER ADDSLOTSRANGE 0 16383");
    QVERIFY(waitUntil([&] { return server.line("SET lock:a w1 PX 600000").text == "OK"; }));
    QVERIFY(waitUntil([&] {
        const BatchResult read = ask(router, {{"GET", "lock:a"}});
        return read && read->front().text == "w1";
    }));
}

void TestOddCluster::twoThatNameEachOther()
{
    GuiseCluster odd;
    QVERIFY(odd.start({}, [&odd](int node, const Command& command) -> QByteArray {
        const std::vector<QByteArray>& args = command.args();
        if (args.front() != "GET")
            return {};
        const QByteArray other = odd.endpoint(node == 0 ? 1 : 0).toLatin1();
        return "-MOVED " + QByteArray::number(keySlot(args[1])) + ' ' + other + "\r\n";
    }));
    Router router(odd.url());
    QVERIFY(opened(router));
    const int maps = odd.count("CLUSTER NODES");
    QElapsedTimer time;
    time.start();
    for (int i = 0; i < 3; ++i) {
        const BatchResult result = ask(router, {{"GET", "a"}});
        QVERIFY(result);
        QVERIFY2(result->front().text.startsWith("MOVED "), result->front().text.constData());
    }
    QVERIFY2(odd.count("GET") <= 3 * 17, QByteArray::number(odd.count("GET")).constData());
    const int asked = odd.count("CLUSTER NODES") - maps;
    QVERIFY2(asked <= time.elapsed() / 100 + 2, QByteArray::number(asked).constData());
    QVERIFY(router.isReady());
}

// Such a cluster is not asked more often, and its real keys are still read.
void TestOddCluster::mastersThatChangeWithEachAnswer()
{
    GuiseCluster odd;
    int turn = 0;
    QVERIFY(odd.start({}, [&](int node, const Command& command) -> QByteArray {
        const std::vector<QByteArray>& args = command.args();
        if (args.size() < 2 || args[0] != "CLUSTER" || args[1] != "NODES")
            return {};
        ++turn;
        return bulk("a" + QByteArray::number(node) + ' ' + odd.endpoint(node).toLatin1() +
                    "@1 myself,master - 0 0 1 connected 0-8191\n" + "b" + QByteArray::number(turn) +
                    " 127.0.0.1:" + QByteArray::number(1 + turn % 900) +
                    "@1 master - 0 0 1 connected 8192-16383\n");
    }));
    Router router(odd.url());
    router.open();
    QVERIFY(waitUntil([&] { return router.isReady(); }));
    QElapsedTimer time;
    time.start();
    int answered = 0;
    while (time.elapsed() < 3000) {
        const BatchResult result = ask(router, {{"DBSIZE"}});
        answered += result && result->front().isInteger() ? 1 : 0;
        waitUntil([] { return false; }, 50);
    }
    QVERIFY2(turn <= 60, QByteArray::number(turn).constData());
    QVERIFY(answered > 20);
}

void TestOddCluster::aMasterWhoseAddressNobodyKnows()
{
    GuiseCluster odd;
    QVERIFY(odd.start({}, [&](int, const Command& command) -> QByteArray {
        const std::vector<QByteArray>& args = command.args();
        if (args.size() < 2 || args[0] != "CLUSTER" || args[1] != "NODES")
            return {};
        return bulk("a0 " + odd.endpoint(0).toLatin1() +
                    "@1 myself,master - 0 0 1 connected 0-8191\n"
                    "67ed2db8d677e59ec4a4cefb06858cf2a1a89fa1 :0@0 master,noaddr - 0 0 1 "
                    "disconnected 8192-16383\n");
    }));
    const TakenSnapshot taken = takeSnapshot(odd.url());
    QVERIFY2(taken.snapshot, qPrintable(taken.error.detail));
    QCOMPARE(taken.scan()["complete"_L1].toBool(true), false);
    QVERIFY2(taken.text.contains("67ed2db8"), taken.text.constData());
}

// As a reshard to a node that was just added begins.
void TestOddCluster::aSlotOnItsWayToOneWithoutSlots()
{
    RedisCluster cluster;
    QVERIFY(cluster.start());
    RedisServer* fresh = cluster.addMaster();
    QVERIFY(fresh);
    const QByteArray stem = "lock:{" + cluster.nameOn(1, "tag") + "}:";
    for (const char* name : {"given", "kept", "given-too"})
        cluster.node(1).run({"SET", stem + name, "me", "PX", "600000"});
    Router router(cluster.node(0).tcpUrl());
    QVERIFY(opened(router));
    QCOMPARE(router.nodes().size(), size_t(3));
    LiveSession live(cluster.node(0).tcpUrl());
    QTRY_COMPARE_WITH_TIMEOUT(live.size(), 3, 20'000);

    QVERIFY(cluster.migrateSlotOf(stem, *fresh));
    const Command migrate{"MIGRATE",
                          "127.0.0.1",
                          QByteArray::number(fresh->port()),
                          "",
                          "0",
                          "5000",
                          "KEYS",
                          stem + "given",
                          stem + "given-too"};
    QCOMPARE(cluster.node(1).run(migrate).text, "OK");
    const BatchResult read = ask(router, {{"GET", stem + "given"}, {"GET", stem + "kept"}});
    QVERIFY(read);
    QCOMPARE(read->front().text, "me");
    QCOMPARE(read->back().text, "me");
    QCOMPARE(router.nodes().size(), size_t(4));

    const TakenSnapshot taken = takeSnapshot(cluster.node(0).tcpUrl());
    QVERIFY2(taken.snapshot, qPrintable(taken.error.detail));
    QByteArrayList names = taken.names("locks");
    std::sort(names.begin(), names.end());
    QCOMPARE(names, (QByteArrayList{stem + "given", stem + "given-too", stem + "kept"}));
    QVERIFY(taken.scan()["complete"_L1].toBool());
    QVERIFY2(taken.scan()["missing"_L1].toArray().isEmpty(), taken.json.constData());

    // The window also sees the changes there, and does not report the slot without an owner as a
    // loss.
    RespClient there(fresh->socketPath());
    QCOMPARE(there.run({"ASKING"}).text, "OK");
    QCOMPARE(there.run({"SET", stem + "given", "somebodyelse", "PX", "600000"}).text, "OK");
    QTRY_COMPARE_WITH_TIMEOUT(live.owner(stem + "given"), "somebodyelse", 40'000);
    QCOMPARE(live.size(), 3);
    QTRY_COMPARE_WITH_TIMEOUT(live->report().coverage, u"3 masters, all slots"_s, 40'000);
    QVERIFY(live->report().scan.missing.empty());

    QVERIFY(cluster.moveSlotOf(stem, *fresh));
    QTRY_COMPARE_WITH_TIMEOUT(live->report().coverage, u"4 masters, all slots"_s, 40'000);
    QCOMPARE(live.size(), 3);
}

// CLUSTER SLOTS omits a master without slots: the router follows a redirection to it.
void TestOddCluster::theSameForWhoMayOnlyAskForSlots()
{
    RedisCluster cluster;
    QVERIFY(cluster.start());
    RedisServer* fresh = cluster.addMaster();
    QVERIFY(fresh);
    const QByteArray user = "ACL SETUSER reader on >PASSWORD ~* &* +@all -cluster +cluster|slots "
                            "+cluster|myid";
    for (int i = 0; i < RedisCluster::size; ++i)
        QCOMPARE(cluster.node(i).line(user).text, "OK");
    QCOMPARE(fresh->line(user).text, "OK");
    const QByteArray stem = "lock:{" + cluster.nameOn(1, "tag") + "}:";
    for (const char* name : {"given", "kept"})
        cluster.node(1).run({"SET", stem + name, "me", "PX", "600000"});
    ServerUrl url = cluster.node(0).tcpUrl();
    url.user = u"reader"_s;
    url.password = u"PASSWORD"_s;
    Router router(url);
    QVERIFY(opened(router));
    QVERIFY(cluster.migrateSlotOf(stem, *fresh));
    QCOMPARE(cluster.node(1)
                 .run({"MIGRATE", "127.0.0.1", QByteArray::number(fresh->port()), stem + "given",
                       "0", "5000"})
                 .text,
             "OK");
    const BatchResult read = ask(router, {{"GET", stem + "given"}, {"GET", stem + "kept"}});
    QVERIFY(read);
    QCOMPARE(read->front().text, "me");
    QCOMPARE(read->back().text, "me");
    QCOMPARE(router.nodes().size(), size_t(4));
    // A node that is gone counts as down, and no call waits for it in vain.
    fresh->stop();
    const BatchResult without = ask(router, {{"GET", stem + "given"}, {"GET", stem + "kept"}});
    QVERIFY(without);
    QCOMPARE(errorFromReply(without->front().text).code, ErrorCode::NodeDown);
    QCOMPARE(without->back().text, "me");
    QVERIFY(waitUntil([&] { return router.nodes().size() == 3; }));
    QVERIFY(router.isReady());
}

// Some of the keys may be there. Once the reshard is given up, no call waits for the node.
void TestOddCluster::whoTakesItsFirstSlotAndIsGone()
{
    RedisCluster cluster;
    QVERIFY(cluster.start());
    RedisServer* fresh = cluster.addMaster();
    QVERIFY(fresh);
    const QByteArray name = cluster.nameOn(1, "lock:");
    cluster.node(1).run({"SET", name, "me", "PX", "600000"});
    QVERIFY(cluster.migrateSlotOf(name, *fresh));
    fresh->freeze();
    const TakenSnapshot taken = takeSnapshot(cluster.node(1).tcpUrl(), {}, {}, 60'000);
    QVERIFY2(taken.snapshot, qPrintable(taken.error.detail));
    QCOMPARE(taken.names("locks"), QByteArrayList{name});
    QVERIFY(!taken.scan()["complete"_L1].toBool(true));
    QVERIFY(taken.json.contains(QByteArray::number(fresh->port())));
    cluster.node(1).run({"CLUSTER", "SETSLOT", QByteArray::number(keySlot(name)), "STABLE"});
    const TakenSnapshot after = takeSnapshot(cluster.node(1).tcpUrl(), {}, {}, 60'000);
    fresh->thaw();
    QVERIFY(after.snapshot);
    QCOMPARE(after.names("locks"), QByteArrayList{name});
    QVERIFY2(after.scan()["complete"_L1].toBool(), after.json.constData());
}

// A read of both keys waits until they are on one node again, but not forever.
void TestOddCluster::keysThatAreSplitBetweenTwo()
{
    RedisCluster cluster;
    QVERIFY(cluster.start());
    const QByteArray stem = "split:{" + cluster.nameOn(1, "tag") + "}:";
    cluster.node(1).run({"MSET", stem + "gone", "1", stem + "kept", "2"});
    Router router(cluster.node(0).tcpUrl());
    QVERIFY(opened(router));
    QVERIFY(cluster.migrateSlotOf(stem, 2));
    const QByteArray port = QByteArray::number(cluster.node(2).port());
    QCOMPARE(cluster.node(1).run({"MIGRATE", "127.0.0.1", port, stem + "gone", "0", "5000"}).text,
             "OK");
    const Command both{"MGET", stem + "gone", stem + "kept"};
    QVERIFY(cluster.node(1).run(both).text.startsWith("TRYAGAIN"));

    QElapsedTimer time;
    time.start();
    const BatchResult split = ask(router, {both, {"GET", stem + "gone"}, {"GET", stem + "kept"}});
    QVERIFY(split);
    QVERIFY2((*split)[0].text.startsWith("TRYAGAIN"), (*split)[0].text.constData());
    QCOMPARE((*split)[1].text, "1");
    QCOMPARE((*split)[2].text, "2");
    QVERIFY2(time.elapsed() < 10'000, QByteArray::number(time.elapsed()).constData());
    QVERIFY(router.isReady());

    QTimer::singleShot(200, &router, [&] { cluster.moveSlotOf(stem, 2); });
    const BatchResult whole = ask(router, {both});
    QVERIFY(whole);
    QCOMPARE(whole->front().items.size(), size_t(2));
    QCOMPARE(whole->front().items[1].text, "2");
}

LK_TEST(TestOddCluster);
#include "tst_oddcluster.moc"
