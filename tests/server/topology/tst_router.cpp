// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/keyslot.h"
#include "backend/redis/topology/router.h"
#include "backend/text/errortext.h"
#include "tests/server/askedlink.h"
#include "tests/support/guisecluster.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// A cluster by one of its nodes.
class TestRouter : public QObject
{
    Q_OBJECT

private:
    RedisCluster m_cluster;
    RedisServer* m_replica = nullptr;

    QByteArray on(int node) const { return m_cluster.nameOn(node, "router:"); }

private slots:
    void initTestCase()
    {
        QVERIFY(m_cluster.start());
        m_replica = m_cluster.addReplica(1);
        QVERIFY(m_replica);
        for (int i = 0; i < RedisCluster::size; ++i)
            m_cluster.node(i).run({"SET", on(i), QByteArray::number(i)});
    }

    void anyNodeIsAnEntry_data();
    void anyNodeIsAnEntry();
    void oneNodeAlone();
    void aServerAlone();
    void repliesComeInTheOrderOfTheCommands();
    void eachNodeTellsOfItself();
    void asksWhereASlotIsOnItsWay();
    void followsASlotThatMoved();
    void actsOnTheOwnerOnly();
    void actsBesideANodeThatIsDown();
    void doesNotActWhereMostAreDown();
    void opensAgainToAllNodes();
    void neverActsOnTwoNodes();
    void anActionIsNotSentOn();
    void byTheNamesThatNodesPrefer();
    void aFurtherEntryIsTried();
    void noEntryIsLostOncePerRound();
    void whatHasNoKeyIsNotSentOn();
    void aFrozenNodeFailsItsOwnKeys(); // last: the cluster is not the same afterwards
};

void TestRouter::anyNodeIsAnEntry_data()
{
    QTest::addColumn<int>("entry");
    QTest::newRow("first master") << 0;
    QTest::newRow("last master") << 2;
    QTest::newRow("replica") << -1;
}

void TestRouter::anyNodeIsAnEntry()
{
    QFETCH(int, entry);
    Router router(entry < 0 ? m_replica->tcpUrl() : m_cluster.node(entry).tcpUrl());
    QVERIFY(opened(router));
    QVERIFY(router.map());
    QCOMPARE(router.nodes().size(), size_t(3));
    QVERIFY(!router.greeting().isReplica());
    for (int i = 0; i < RedisCluster::size; ++i) {
        const BatchResult result = ask(router, {{"GET", on(i)}});
        QVERIFY(result);
        QCOMPARE(result->front().text, QByteArray::number(i));
    }
    int replicas = 0;
    for (const ClusterMap::Node& master : router.map()->masters())
        replicas += int(master.replicas.size());
    QCOMPARE(replicas, 1);
    QCOMPARE(router.status().generation, 1ULL);
}

void TestRouter::oneNodeAlone()
{
    ServerUrl url = m_cluster.node(0).tcpUrl();
    url.deployment = ServerUrl::Deployment::Node;
    Router router(url);
    QVERIFY(opened(router));
    QVERIFY(!router.map());
    const BatchResult result = ask(router, {{"GET", on(0)}, {"GET", on(1)}});
    QVERIFY(result);
    QCOMPARE((*result)[0].text, QByteArray("0"));
    QVERIFY((*result)[1].text.startsWith("MOVED "));
}

void TestRouter::aServerAlone()
{
    RedisServer server;
    QVERIFY(server.start());
    Router router(server.url());
    QVERIFY(opened(router));
    QVERIFY(!router.map());
    server.run({"SET", "a", "1"});
    const BatchResult result = ask(router, {{"GET", "a"}, {"DBSIZE"}});
    QVERIFY(result);
    QCOMPARE((*result)[1].integer, 1);
    QCOMPARE(router.nodes().size(), size_t(1));
}

void TestRouter::repliesComeInTheOrderOfTheCommands()
{
    Router router(m_cluster.node(1).tcpUrl());
    QVERIFY(opened(router));
    std::vector<Command> commands;
    QByteArrayList expected;
    for (int i = 0; i < 300; ++i) {
        const QByteArray name = "order:" + QByteArray::number(i);
        m_cluster.ownerOf(name).run({"SET", name, QByteArray::number(i)});
        commands.push_back({"GET", name});
        expected << QByteArray::number(i);
    }
    const BatchResult result = ask(router, commands);
    QVERIFY(result);
    QByteArrayList got;
    for (const Reply& reply : *result)
        got << reply.text;
    QCOMPARE(got, expected);
}

void TestRouter::eachNodeTellsOfItself()
{
    Router router(m_cluster.node(2).tcpUrl());
    QVERIFY(opened(router));
    QSet<QByteArray> ids;
    for (Link* node : router.dataNodes()) {
        BatchProbe probe;
        QObject context;
        node->send({{"CLUSTER", "MYID"}, {"GET", on(0)}}, &context, probe.handler());
        QVERIFY(probe.wait());
        QVERIFY(probe.result);
        ids.insert((*probe.result)[0].text);
        QCOMPARE((*probe.result)[1].text, QByteArray("0")); // what has a key finds it all the same
    }
    QCOMPARE(ids.size(), 3);
    QCOMPARE(router.nodeOf(on(0)).url().port, m_cluster.node(0).port());
}

void TestRouter::asksWhereASlotIsOnItsWay()
{
    Router router(m_cluster.node(0).tcpUrl());
    QVERIFY(opened(router));
    const QByteArray name = m_cluster.nameOn(0, "onitsway:");
    m_cluster.node(0).run({"SET", name, "there"});
    QVERIFY(m_cluster.migrateSlotOf(name, 2));
    m_cluster.node(0).run(
        {"MIGRATE", "127.0.0.1", QByteArray::number(m_cluster.node(2).port()), name, "0", "5000"});
    const BatchResult result = ask(router, {{"GET", on(0)}, {"GET", name}, {"PTTL", name}});
    QVERIFY(result);
    QCOMPARE((*result)[1].text, QByteArray("there"));
    QCOMPARE((*result)[2].integer, -1);
}

void TestRouter::followsASlotThatMoved()
{
    Router router(m_cluster.node(0).tcpUrl());
    QVERIFY(opened(router));
    const QByteArray name = m_cluster.nameOn(1, "moved:");
    m_cluster.node(1).run({"SET", name, "here"});
    QVERIFY(m_cluster.moveSlotOf(name, 2));
    const quint64 version = router.mapVersion();
    const BatchResult result = ask(router, {{"GET", name}});
    QVERIFY(result);
    QCOMPARE(result->front().text, QByteArray("here"));
    QTRY_VERIFY_WITH_TIMEOUT(router.mapVersion() > version, 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(
        router.map()->ownerOf(keySlot(name))->endpoint.section(u':', -1).toInt(),
        int(m_cluster.node(2).port()), 20'000);
}

void TestRouter::actsOnTheOwnerOnly()
{
    Router router(m_cluster.node(0).tcpUrl(), actingOptions());
    QVERIFY(opened(router));
    const QByteArray name = m_cluster.nameOn(2, "act:");
    const BatchResult refused = ask(router, {{"SET", name, "1"}}, true);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::SessionReadOnly);
    router.setWriteMode(true);
    const BatchResult done = ask(router, {{"SET", name, "1"}, {"INCR", name}}, true);
    QVERIFY(done);
    QCOMPARE(m_cluster.node(2).run({"GET", name}).text, QByteArray("2"));
}

// An unreachable master does not prevent an action on a lock of another one.
void TestRouter::actsBesideANodeThatIsDown()
{
    ServerUrl url = m_cluster.node(0).tcpUrl();
    url.addressMap = {{{url.host, m_cluster.node(2).port()}, {url.host, 1}}}; // no server
    Router router(url, actingOptions());
    QVERIFY(opened(router));
    router.setWriteMode(true);
    const QByteArray there = m_cluster.nameOn(1, "beside:");
    const BatchResult done = ask(router, {{"SET", there, "1"}}, true);
    QVERIFY2(done, done ? "" : qPrintable(errorText(done.error())));
    QVERIFY(done->front().text == "OK");
    const QByteArray down = m_cluster.nameOn(2, "beside:");
    const BatchResult refused = ask(router, {{"SET", down, "1"}}, true);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, ErrorCode::NodeDown);
    QVERIFY2(errorText(refused.error()).contains(QString::number(m_cluster.node(2).port())),
             qPrintable(errorText(refused.error())));
    QCOMPARE(m_cluster.node(2).run({"EXISTS", down}).integer, 0);
    QVERIFY(router.isReady());
}

// A client that reaches one of three may be on the side of a partition that has been replaced.
void TestRouter::doesNotActWhereMostAreDown()
{
    ServerUrl url = m_cluster.node(0).tcpUrl();
    url.addressMap = {{{url.host, m_cluster.node(1).port()}, {url.host, 1}},
                      {{url.host, m_cluster.node(2).port()}, {url.host, 1}}};
    Router router(url, actingOptions());
    router.open();
    QVERIFY(waitUntil([&] { return router.status().phase == ConnectionStatus::Phase::Lost; }));
    QVERIFY(!router.isReady());
    Router reading(url);
    QVERIFY(opened(reading));
}

// As write mode does, each time that it is turned on.
void TestRouter::opensAgainToAllNodes()
{
    Router router(m_cluster.node(0).tcpUrl(), actingOptions());
    for (int time = 0; time < 3; ++time) {
        QVERIFY(opened(router));
        router.setWriteMode(true);
        QCOMPARE(router.nodes().size(), size_t(3));
        for (int i = 0; i < RedisCluster::size; ++i) {
            const QByteArray name = m_cluster.nameOn(i, "again:");
            const BatchResult done = ask(router, {{"SET", name, QByteArray::number(time)}}, true);
            QVERIFY2(done, done ? "" : qPrintable(errorText(done.error())));
            QCOMPARE(m_cluster.ownerOf(name).run({"GET", name}).text, QByteArray::number(time));
        }
        router.close();
    }
}

void TestRouter::neverActsOnTwoNodes()
{
    Router router(m_cluster.node(0).tcpUrl(), actingOptions());
    router.setWriteMode(true);
    QVERIFY(opened(router));
    const QByteArray one = m_cluster.nameOn(0, "two:");
    const QByteArray other = m_cluster.nameOn(1, "two:");
    const BatchResult result = ask(router, {{"SET", one, "1"}, {"SET", other, "1"}}, true);
    QVERIFY(!result);
    QCOMPARE(m_cluster.node(0).run({"EXISTS", one}).integer, 0);
    QCOMPARE(m_cluster.node(1).run({"EXISTS", other}).integer, 0);
}

// A refusal is a refusal: what was planned for one node is not run on another.
void TestRouter::anActionIsNotSentOn()
{
    Router router(m_cluster.node(0).tcpUrl(), actingOptions());
    router.setWriteMode(true);
    QVERIFY(opened(router));
    const QByteArray name = m_cluster.nameOn(1, "noton:");
    QVERIFY(m_cluster.moveSlotOf(name, 0));
    const BatchResult result = ask(router, {{"SET", name, "1"}}, true);
    QVERIFY(result);
    QVERIFY2(result->front().text.startsWith("MOVED "), result->front().text.constData());
    QCOMPARE(m_cluster.node(0).run({"EXISTS", name}).integer, 0);
    QTRY_COMPARE_WITH_TIMEOUT(
        router.map()->ownerOf(keySlot(name))->endpoint.section(u':', -1).toInt(),
        int(m_cluster.node(0).port()), 20'000);
}

// As certificates are for names, not for addresses.
void TestRouter::byTheNamesThatNodesPrefer()
{
    const auto announce = [this](const QByteArray& name, const QByteArray& preferred) {
        for (int i = 0; i < RedisCluster::size; ++i) {
            m_cluster.node(i).run({"CONFIG", "SET", "cluster-announce-hostname", name});
            m_cluster.node(i).run({"CONFIG", "SET", "cluster-preferred-endpoint-type", preferred});
        }
    };
    announce("localhost", "hostname");
    const auto isTold = [this] {
        return m_cluster.node(0).line("CLUSTER NODES").text.count(",localhost ") >= 3;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isTold(), 20'000);
    Router router(m_cluster.node(0).tcpUrl());
    QVERIFY(opened(router));
    QCOMPARE(router.nodes().size(), size_t(3));
    for (const NodeLink* node : router.nodes()) {
        const bool isEntry = node->url().port == m_cluster.node(0).port();
        QCOMPARE(node->url().host, isEntry ? m_cluster.node(0).tcpUrl().host : u"localhost"_s);
    }
    const QByteArray name = m_cluster.nameOn(1, "named:");
    m_cluster.node(1).run({"SET", name, "1"});
    QVERIFY(m_cluster.moveSlotOf(name, 2));
    const BatchResult read = ask(router, {{"GET", name}});
    QVERIFY(read);
    QCOMPARE(read->front().text, QByteArray("1"));
    announce("", "ip");
}

void TestRouter::aFurtherEntryIsTried()
{
    const quint16 nobody = [] {
        RedisServer server;
        server.addTcp();
        return server.start() ? server.port() : quint16(0);
    }();
    ServerUrl url = m_cluster.node(0).tcpUrl();
    url.deployment = ServerUrl::Deployment::Cluster;
    url.others = {{url.host, m_cluster.node(1).port()}};
    url.port = nobody;
    Router router(url);
    // Who looks but once takes the first loss for the last word.
    bool lost = false;
    connect(&router, &Router::statusChanged, this, [&](const ConnectionStatus& status) {
        lost = lost || status.phase == ConnectionStatus::Phase::Lost;
    });
    QVERIFY(opened(router));
    QVERIFY(!lost);
    QCOMPARE(router.nodes().size(), size_t(3));
}

void TestRouter::noEntryIsLostOncePerRound()
{
    ServerUrl url;
    url.deployment = ServerUrl::Deployment::Cluster;
    url.port = 1; // no server
    url.others = {{url.host, 2}, {url.host, 3}};
    Router router(url);
    int rounds = 0;
    connect(&router, &Router::statusChanged, this, [&](const ConnectionStatus& status) {
        rounds += status.phase == ConnectionStatus::Phase::Lost ? 1 : 0;
        if (status.phase == ConnectionStatus::Phase::Lost)
            QVERIFY(status.nextTryInMs > 0);
    });
    router.open();
    QTRY_COMPARE_WITH_TIMEOUT(rounds, 2, 20'000);
    QVERIFY(router.status().attempt >= 2);
}

// A server that redirects even that is not to be followed, nor to bring this one down.
void TestRouter::whatHasNoKeyIsNotSentOn()
{
    GuiseCluster odd;
    QVERIFY(odd.start({}, [](int, const Command& command) -> QByteArray {
        const QByteArray name = command.args().front();
        return name == "DBSIZE" ? "-MOVED 1 127.0.0.1:1\r\n"
               : name == "TIME" ? "-CLUSTERDOWN nobody\r\n"
                                : "";
    }));
    Router router(odd.url());
    QVERIFY(opened(router));
    const BatchResult result = ask(router, {{"DBSIZE"}, {"TIME"}});
    QVERIFY(result);
    QVERIFY((*result)[0].text.startsWith("MOVED "));
    QVERIFY((*result)[1].text.startsWith("CLUSTERDOWN"));
}

void TestRouter::aFrozenNodeFailsItsOwnKeys()
{
    Connection::Options options;
    options.batchTimeoutMs = 500;
    Router router(m_cluster.node(0).tcpUrl(), options);
    QVERIFY(opened(router));
    m_cluster.node(2).freeze();
    const QByteArray frozen = m_cluster.nameOn(2, "frozen:");
    const BatchResult first = ask(router, {{"GET", on(0)}, {"GET", frozen}});
    QVERIFY(first);
    QCOMPARE((*first)[0].text, QByteArray("0"));
    const Error error = errorFromReply((*first)[1].text);
    QCOMPARE(error.code, ErrorCode::NodeDown);
    QVERIFY2(errorText(error).contains(QString::number(m_cluster.node(2).port())),
             qPrintable(errorText(error)));
    QVERIFY(router.isReady());
    m_cluster.node(2).thaw();
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
            const BatchResult again = ask(router, {{"EXISTS", frozen}});
            return again && again->front().isInteger();
        }(),
        20'000);
}

LK_TEST(TestRouter);
#include "tst_router.moc"
