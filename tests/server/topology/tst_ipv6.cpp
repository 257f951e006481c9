// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/router.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/freeport.h"
#include "tests/support/redissentinel.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

#include <QTcpServer>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Servers that have but an IPv6 address: by their URL, and as a cluster and a Sentinel tell of
/// them.
class TestIpv6 : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTcpServer probe;
        if (!probe.listen(QHostAddress::LocalHostIPv6))
            QSKIP("this machine has no IPv6");
    }
    void aServer();
    void aCluster();
    void aSentinelsMaster();
    void aGroupFailsOver();

private:
    static ServerUrl urlOf(const RedisServer& server)
    {
        ServerUrl url = server.tcpUrl();
        url.host = u"::1"_s;
        return url;
    }
};

void TestIpv6::aServer()
{
    RedisServer server({u"--bind"_s, u"::1"_s});
    server.addTcp();
    QVERIFY(server.start());
    server.line("SET lock:a me PX 600000");
    const Result<ServerUrl> url = parseServerUrl(u"redis://[::1]:%1"_s.arg(server.port()));
    QVERIFY(url);
    const TakenSnapshot taken = takeSnapshot(*url);
    QCOMPARE(taken.names("locks"), QByteArrayList{"lock:a"});
    QVERIFY2(taken.text.contains("[::1]:" + QByteArray::number(server.port())),
             taken.text.constData());
}

void TestIpv6::aCluster()
{
    std::array<std::unique_ptr<RedisServer>, 2> nodes;
    for (auto& node : nodes) {
        node = std::make_unique<RedisServer>();
        node->setArguments({u"--bind"_s, u"::1"_s, u"--cluster-enabled"_s, u"yes"_s,
                            u"--cluster-announce-ip"_s, u"::1"_s, u"--cluster-port"_s,
                            QString::number(freePort())});
        node->addTcp();
        QVERIFY(node->start());
    }
    nodes[0]->line("CLUSTER ADDSLOTSRANGE 0 8191");
    nodes[1]->line("CLUSTER ADDSLOTSRANGE 8192 16383");
    nodes[1]->line("CLUSTER SET-CONFIG-EPOCH 2");
    const QByteArray bus = nodes[1]->line("CONFIG GET cluster-port").items.at(1).text;
    QCOMPARE(
        nodes[0]->run({"CLUSTER", "MEET", "::1", QByteArray::number(nodes[1]->port()), bus}).text,
        QByteArray("OK"));
    const auto whole = [&] {
        return std::all_of(nodes.begin(), nodes.end(), [](const auto& node) {
            const QByteArray info = node->line("CLUSTER INFO").text;
            return info.contains("cluster_state:ok") && info.contains("cluster_size:2");
        });
    };
    QVERIFY(waitUntil(whole, 60'000));
    Router router(urlOf(*nodes[0]));
    router.open();
    QVERIFY(waitUntil([&] { return router.isReady(); }));
    QCOMPARE(router.nodes().size(), size_t(2));
    for (const NodeLink* node : router.nodes()) {
        QVERIFY2(node->endpoint().startsWith(u"[::1]:"_s), qPrintable(node->endpoint()));
        QVERIFY(node->isReady());
    }
    // A redirection names the node as "::1:7001".
    for (int i = 0; i < 8; ++i) {
        BatchProbe probe;
        QObject context;
        router.send({{"EXISTS", "k" + QByteArray::number(i)}}, &context, probe.handler());
        QVERIFY(probe.wait());
        QVERIFY(probe.result);
        QCOMPARE(probe.result->front().integer, 0);
    }
}

void TestIpv6::aSentinelsMaster()
{
    RedisServer server({u"--bind"_s, u"::1"_s});
    server.addTcp();
    QVERIFY(server.start());
    server.line("SET lock:a me PX 600000");
    SentinelProcess sentinel;
    QVERIFY(sentinel.start("sentinel monitor mymaster ::1 " + QByteArray::number(server.port()) +
                           " 1\n"));
    ServerUrl url;
    url.deployment = ServerUrl::Deployment::Sentinel;
    url.host = sentinel.address().host;
    url.port = sentinel.address().port;
    url.masterName = u"mymaster"_s;
    const TakenSnapshot taken = takeSnapshot(url);
    QCOMPARE(taken.names("locks"), QByteArrayList{"lock:a"});
    QVERIFY2(taken.text.contains("[::1]:" + QByteArray::number(server.port())),
             taken.text.constData());
}

// Each of three Sentinels knows the others and the servers by such addresses alone.
void TestIpv6::aGroupFailsOver()
{
    RedisSentinel group;
    group.setHost(u"::1"_s);
    group.setQuick();
    QVERIFY(group.start());
    group.lineOnMaster("SET lock:a me PX 600000");
    // Whichever follows has it. WAIT does not tell: over another connection it waits for nothing.
    const auto haveIt = [&] {
        for (int server = 0; server < RedisSentinel::size; ++server) {
            if (group.line(server, "EXISTS lock:a").integer != 1)
                return false;
        }
        return true;
    };
    QVERIFY(waitUntil(haveIt, 60'000));
    Router router(group.url(1)); // it returns the others
    router.open();
    QVERIFY(waitUntil([&] { return router.isReady(); }, 60'000));
    const QString before = group.masterAddress().text();
    QVERIFY(before.startsWith(u"[::1]:"_s));
    const auto master = [&] {
        return router.isReady() ? router.nodes().front()->endpoint() : u""_s;
    };
    QCOMPARE(master(), before);
    const int killed = group.masterIndex();
    group.killMaster();
    QVERIFY(group.waitForOtherMaster(killed));
    QVERIFY(waitUntil([&] { return master() == group.masterAddress().text(); }, 60'000));
    QVERIFY(master() != before);
    const TakenSnapshot taken = takeSnapshot(group.url());
    QCOMPARE(taken.names("locks"), QByteArrayList{"lock:a"});
    QVERIFY2(taken.text.contains(master().toUtf8()), taken.text.constData());
}

LK_TEST(TestIpv6);
#include "tst_ipv6.moc"
