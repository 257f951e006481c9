// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/clustermap.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

namespace {

const QByteArray nodes =
    "07c37dfeb235213a872192d90877d0cd55635b91 127.0.0.1:30004@31004,host4 slave "
    "e7d1eecce10fd6bb5eb35b9f99a514335d9ba9ca 0 1426238317239 4 connected\n"
    "67ed2db8d677e59ec4a4cefb06858cf2a1a89fa1 127.0.0.1:30002@31002 master - 0 1426238316232 2 "
    "connected 5461-10922\n"
    "292f8b365bb7edb5e285caf0b7e6ddc7265d2f4f 127.0.0.1:30003@31003 master,fail - 0 1426238318243 "
    "3 "
    "disconnected 10923-16383\n"
    "e7d1eecce10fd6bb5eb35b9f99a514335d9ba9ca 127.0.0.1:30001@31001 myself,master - 0 0 1 "
    "connected "
    "0-5459 5460 [93-<-292f8b365bb7edb5e285caf0b7e6ddc7265d2f4f]\n";

Reply slotsRange(int first, int last, const QByteArray& id, int port)
{
    return Reply::array(
        {Reply::number(first), Reply::number(last),
         Reply::array({Reply::bulk("127.0.0.1"), Reply::number(port), Reply::bulk(id)})});
}

Reply node(const QByteArray& id, int port, const QByteArray& role,
           const QByteArray& health = "online", const QByteArray& name = {})
{
    std::vector<Reply> fields{
        Reply::bulk("id"),       Reply::bulk(id),          Reply::bulk("port"),
        Reply::number(port),     Reply::bulk("ip"),        Reply::bulk("127.0.0.1"),
        Reply::bulk("endpoint"), Reply::bulk("127.0.0.1"), Reply::bulk("role"),
        Reply::bulk(role),       Reply::bulk("health"),    Reply::bulk(health)};
    if (!name.isEmpty()) {
        fields.push_back(Reply::bulk("hostname"));
        fields.push_back(Reply::bulk(name));
    }
    return Reply::array(fields);
}

Reply shard(const std::vector<int>& ends, const std::vector<Reply>& nodesOfIt)
{
    std::vector<Reply> numbers;
    for (const int end : ends)
        numbers.push_back(Reply::number(end));
    return Reply::array({Reply::bulk("slots"), Reply::array(numbers), Reply::bulk("nodes"),
                         Reply::array(nodesOfIt)});
}

std::optional<ClusterMap> fromShards(const std::vector<Reply>& shards, const Reply& myId,
                                     bool tls = false)
{
    return ClusterMap::fromReplies(
        std::vector{Reply::error("NOPERM"), Reply::error("NOPERM"), myId, Reply::array(shards)}, {},
        tls);
}

} // namespace

class TestClusterMap : public QObject
{
    Q_OBJECT

private slots:
    void fromNodes();
    void fromSlotsWhereNodesAreDenied();
    void fromShardsWhereNodesAreDenied();
    void shardsOfAFailover();
    void shardsThatMakeNoSense();
    void aReplicaHasNothing();
    void namesOfHosts();
    void oneMasterIsAll();
    void hostsThatAreNotTold();
    void oddAddresses_data();
    void oddAddresses();
    void whoNobodyCanReachIsAMasterAllTheSame();
    void tooManyRanges();
    void nonsense_data();
    void nonsense();
};

void TestClusterMap::fromNodes()
{
    const auto map = ClusterMap::fromReplies(
        std::vector{Reply::bulk(nodes), Reply::error("ERR"), Reply::error("ERR")});
    QVERIFY(map);
    QCOMPARE(map->masters().size(), 3U);
    QVERIFY(map->myself());
    QCOMPARE(map->myself()->slotCount(), 5461);
    QCOMPARE(map->coverage(), QStringLiteral("1 of 3 masters, 5,461 of 16,384 slots"));
    QVERIFY(!map->isWhole());
    QVERIFY(map->myself()->owns(5460));
    QVERIFY(!map->myself()->owns(5461));
    QCOMPARE(map->ownerOf(5461)->endpoint, QStringLiteral("127.0.0.1:30002"));
    QVERIFY(map->ownerOf(12'000)->failed);
}

void TestClusterMap::fromSlotsWhereNodesAreDenied()
{
    const auto map = ClusterMap::fromReplies(
        std::vector{Reply::error("NOPERM"),
                    Reply::array({slotsRange(0, 99, "a", 1), slotsRange(100, 16383, "b", 2),
                                  slotsRange(16384, 20000, "b", 2)}),
                    Reply::bulk("a")});
    QVERIFY(map);
    QCOMPARE(map->coverage(), QStringLiteral("1 of 2 masters, 100 of 16,384 slots"));
    QCOMPARE(map->ownerOf(100)->endpoint, QStringLiteral("127.0.0.1:2"));
}

void TestClusterMap::fromShardsWhereNodesAreDenied()
{
    const auto map = fromShards(
        {shard({0, 99, 200, 16383}, {node("a", 1, "master"), node("c", 3, "replica", "failed")}),
         shard({100, 199}, {node("b", 2, "master", "online", "two.test")}),
         shard({}, {node("fresh", 4, "master")})},
        Reply::bulk("b"));
    QVERIFY(map);
    QCOMPARE(map->coverage(), QStringLiteral("1 of 3 masters, 100 of 16,384 slots"));
    QCOMPARE(map->ownerOf(200)->endpoint, QStringLiteral("127.0.0.1:1"));
    QCOMPARE(map->ownerOf(199)->address.name, QStringLiteral("two.test"));
    QCOMPARE(map->prefersNames(), std::optional(false));
    QCOMPARE(map->masters()[0].replicas.size(), size_t(1));
    QVERIFY(map->masters()[0].replicas[0].failed);
    QVERIFY(map->masters()[2].ranges.empty()); // SLOTS would omit it
    // Uses that one of the two ports of a node to which the connection goes.
    Reply both = node("a", 1, "master");
    both.items.push_back(Reply::bulk("tls-port"));
    both.items.push_back(Reply::number(7));
    QCOMPARE(fromShards({shard({0, 1}, {both})}, Reply())->masters()[0].address.port, 1);
    QCOMPARE(fromShards({shard({0, 1}, {both})}, Reply(), true)->masters()[0].address.port, 7);
}

// The one that has failed still calls itself a master, and stands first.
void TestClusterMap::shardsOfAFailover()
{
    const auto map = fromShards(
        {shard({0, 16383}, {node("old", 1, "master", "fail"), node("new", 2, "master")})}, Reply());
    QVERIFY(map);
    QCOMPARE(map->ownerOf(0)->id, QByteArray("new"));
    QVERIFY(map->masters()[0].failed && map->masters()[0].ranges.empty());
    const auto down = fromShards({shard({0, 16383}, {node("old", 1, "master", "fail")})}, Reply());
    QVERIFY(down && down->ownerOf(0)->failed);
}

void TestClusterMap::shardsThatMakeNoSense()
{
    const Reply master = node("a", 1, "master");
    QVERIFY(!fromShards({}, Reply()));
    QVERIFY(!fromShards({Reply::bulk("x"), Reply::array({}), Reply::number(7)}, Reply()));
    QVERIFY(!fromShards({shard({0, 1}, {})}, Reply()));
    QCOMPARE(
        fromShards({shard({5, 1, -3, 8, 0, 16384}, {master})}, Reply())->masters()[0].slotCount(),
        0);
    QCOMPARE(fromShards({shard({7}, {master})}, Reply())->masters()[0].slotCount(), 0);
    QVERIFY(
        fromShards({shard({0, 1}, {node("a", 99'999, "master")})}, Reply())->ownerOf(0)->failed);
    const std::vector<Reply> many(3000, master);
    QVERIFY(fromShards({shard({0, 1}, many)}, Reply())->masters().size() <= 2000);
}

void TestClusterMap::aReplicaHasNothing()
{
    QByteArray asReplica = nodes;
    asReplica.replace(" slave ", " myself,slave ").replace("myself,master", "master");
    const auto map =
        ClusterMap::fromReplies(std::vector{Reply::bulk(asReplica), Reply::nil(), Reply::nil()});
    QVERIFY(map);
    QVERIFY(!map->myself());
    QVERIFY(!map->isWhole());
    QCOMPARE(map->coverage(), QStringLiteral("0 of 3 masters, 0 of 16,384 slots"));
}

void TestClusterMap::namesOfHosts()
{
    const QByteArray named =
        "07c3 10.0.0.1:6379@16379,one.test myself,master - 0 0 1 connected 0-5460\n"
        "67ed 10.0.0.2:6379@16379,,shard-id=292f master - 0 0 2 connected 5461-10922\n"
        "292f 10.0.0.3:6379@16379,three.test,shard-id=07c3 master - 0 0 3 connected 10923-16383\n";
    const auto preferring = [&](const QByteArray& told) {
        const Reply range = Reply::array(
            {Reply::number(0), Reply::number(5460),
             Reply::array({Reply::bulk(told), Reply::number(6379), Reply::bulk("07c3")})});
        return ClusterMap::fromReplies(
            std::vector{Reply::bulk(named), Reply::array({range}), Reply::bulk("07c3")});
    };
    const auto map = preferring("one.test");
    QVERIFY(map);
    QCOMPARE(map->masters()[0].address.name, QStringLiteral("one.test"));
    QCOMPARE(map->masters()[1].address.name, QString());
    QCOMPARE(map->masters()[2].address.name, QStringLiteral("three.test"));
    QCOMPARE(map->masters()[2].endpoint, QStringLiteral("10.0.0.3:6379"));
    QCOMPARE(map->prefersNames(), std::optional(true));
    QCOMPARE(preferring("10.0.0.1")->prefersNames(), std::optional(false));
    const auto untold = ClusterMap::fromReplies(
        std::vector{Reply::bulk(named), Reply::error("NOPERM"), Reply::error("NOPERM")});
    QVERIFY(untold && !untold->prefersNames());
}

void TestClusterMap::oneMasterIsAll()
{
    const auto map = ClusterMap::fromReplies(
        std::vector{Reply::bulk("a 127.0.0.1:1@2 myself,master - 0 0 1 connected 0-16383\n"
                                "b 127.0.0.1:2@3 master - 0 0 1 connected\n"),
                    Reply::nil(), Reply::nil()});
    QVERIFY(map);
    QVERIFY(map->isWhole()); // the other has no slot, so no key
}

// As cluster-preferred-endpoint-type has it: unknown-endpoint, or hostname without one.
void TestClusterMap::hostsThatAreNotTold()
{
    const QString asked = QStringLiteral("10.0.0.9");
    for (const char* host : {"", "?"}) {
        const QByteArray told = QByteArray(host) + ":30001";
        QCOMPARE(ClusterMap::addressOf(told, asked).endpoint, QStringLiteral("10.0.0.9:30001"));
        QCOMPARE(ClusterMap::addressOf(told, QStringLiteral("::1")).endpoint,
                 QStringLiteral("[::1]:30001"));
    }
    const auto node = [](const Reply& host, std::vector<Reply> more) {
        return Reply::array({Reply::number(0), Reply::number(16383),
                             Reply::array({host, Reply::number(30001), Reply::bulk("a"),
                                           Reply::array(std::move(more))})});
    };
    const auto endpoint = [&](const Reply& range) {
        const auto map = ClusterMap::fromReplies(
            std::vector{Reply::error("NOPERM"), Reply::array({range}), Reply::nil()}, asked);
        return map ? map->masters().front().endpoint : QString();
    };
    QCOMPARE(endpoint(node(Reply::nil(), {})), QStringLiteral("10.0.0.9:30001"));
    QCOMPARE(endpoint(node(Reply::bulk("?"), {Reply::bulk("ip"), Reply::bulk("10.0.0.5")})),
             QStringLiteral("10.0.0.5:30001"));
    QCOMPARE(endpoint(node(Reply::bulk("one.test"), {Reply::bulk("ip"), Reply::bulk("10.0.0.5")})),
             QStringLiteral("one.test:30001"));
}

void TestClusterMap::oddAddresses_data()
{
    QTest::addColumn<QByteArray>("told");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("no port") << QByteArray("10.0.0.1");
    QTest::newRow("port 0") << QByteArray("10.0.0.1:0");
    QTest::newRow("port 70000") << QByteArray("10.0.0.1:70000");
    QTest::newRow("port -1") << QByteArray("10.0.0.1:-1");
    QTest::newRow("a word") << QByteArray("10.0.0.1:port");
    QTest::newRow("64 KiB") << QByteArray(65'536, 'h') + ":7001";
    QTest::newRow("more digits than a number has") << "10.0.0.1:" + QByteArray(400, '9');
}

void TestClusterMap::oddAddresses()
{
    QFETCH(QByteArray, told);
    const ClusterMap::Address address = ClusterMap::addressOf(told, QStringLiteral("10.0.0.9"));
    QCOMPARE(int(address.port), 0);
    QVERIFY(address.endpoint.size() <= 300);
}

// Its keys are not seen, so the map must not count as complete.
void TestClusterMap::whoNobodyCanReachIsAMasterAllTheSame()
{
    const auto map = ClusterMap::fromReplies(
        std::vector{Reply::bulk("a 127.0.0.1:1@2 myself,master - 0 0 1 connected 0-8191\n"
                                "67ed2db8d677e59e :0@0 master,noaddr - 0 0 1 disconnected "
                                "8192-16383\n"
                                "292f8b365bb7edb5 :0@0 master,noaddr - 0 0 1 disconnected\n"),
                    Reply::nil(), Reply::nil()},
        QStringLiteral("127.0.0.1"));
    QVERIFY(map);
    QCOMPARE(map->masters().size(), 2U); // one has neither slots nor an address
    QVERIFY(!map->isWhole());
    QVERIFY(map->ownerOf(9000)->failed);
    QCOMPARE(map->ownerOf(9000)->endpoint, QStringLiteral("67ed2db8"));
}

void TestClusterMap::tooManyRanges()
{
    QByteArray line = "a 127.0.0.1:1@2 myself,master - 0 0 1 connected";
    for (int i = 0; i < 50'000; ++i)
        line += " 0-16383";
    const auto map =
        ClusterMap::fromReplies(std::vector{Reply::bulk(line), Reply::nil(), Reply::nil()});
    QVERIFY(map);
    QVERIFY(map->masters().front().ranges.size() <= 16384U);
}

void TestClusterMap::nonsense_data()
{
    QTest::addColumn<Reply>("first");
    QTest::newRow("empty") << Reply::bulk("");
    QTest::newRow("an integer") << Reply::number(5);
    QTest::newRow("words") << Reply::bulk("OK\nOK OK\n");
    QTest::newRow("wild slots") << Reply::bulk("a b slave - 0 0 1 connected 5-4 99999 -1--2\n");
}

void TestClusterMap::nonsense()
{
    QFETCH(Reply, first);
    QVERIFY(!ClusterMap::fromReplies(std::vector{first, Reply::bulk("x"), Reply::nil()}));
    QVERIFY(!ClusterMap::fromReplies({}));
}

LK_TEST(TestClusterMap);
#include "tst_clustermap.moc"
