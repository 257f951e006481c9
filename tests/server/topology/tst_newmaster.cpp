// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/keyslot.h"
#include "backend/redis/topology/router.h"
#include "tests/server/askedlink.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

QByteArray textOf(const BatchResult& result)
{
    return result ? result->front().text : QByteArray("failed");
}

} // namespace

/// The way to a master that joins a cluster while it is followed: without a slot, with its first on
/// the way, with that as its own.
class TestNewMaster : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void isReadWhereItsFirstSlotIsOnTheWay();
    void isNotDownWhileItIsBeingConnectedTo();
    void isHeardOfByWhoMayNotAskForTheNodes();

private:
    std::unique_ptr<RedisCluster> m_cluster;
    RedisServer* m_fresh = nullptr;
    QByteArray m_name;
};

void TestNewMaster::init()
{
    m_cluster = std::make_unique<RedisCluster>();
    QVERIFY(m_cluster->start());
    m_fresh = m_cluster->addMaster();
    QVERIFY(m_fresh);
    m_name = m_cluster->nameOn(1, "lock:");
    QCOMPARE(m_cluster->node(1).run({"SET", m_name, "me"}).text, QByteArray("OK"));
}

void TestNewMaster::isReadWhereItsFirstSlotIsOnTheWay()
{
    Router router(m_cluster->node(0).tcpUrl());
    QVERIFY(opened(router));
    QCOMPARE(router.nodes().size(), size_t(3));
    QVERIFY(m_cluster->migrateSlotOf(m_name, *m_fresh));
    const QByteArray port = QByteArray::number(m_fresh->port());
    QCOMPARE(m_cluster->node(1).run({"MIGRATE", "127.0.0.1", port, m_name, "0", "5000"}).text,
             QByteArray("OK"));
    QCOMPARE(textOf(ask(router, {{"GET", m_name}})), QByteArray("me"));
    QCOMPARE(router.nodes().size(), size_t(4));
    // The source node reports it as well, to a client that was not redirected there.
    Router other(m_cluster->node(0).tcpUrl());
    QVERIFY(opened(other));
    bool told = false;
    other.refreshMap(&other, [&told] { told = true; });
    QVERIFY(waitUntil([&] { return told; }));
    QCOMPARE(other.nodes().size(), size_t(4));
    const ClusterMap::Node* fresh = other.map()->named(u"127.0.0.1:%1"_s.arg(m_fresh->port()));
    QVERIFY(fresh && other.map()->takesFirst(*fresh) && !other.map()->counts(*fresh));
    // Once the migration is given up, no client has to ask there.
    const QByteArray slot = QByteArray::number(keySlot(m_name));
    QCOMPARE(m_cluster->node(1).run({"CLUSTER", "SETSLOT", slot, "STABLE"}).text, "OK");
    QCOMPARE(m_fresh->run({"CLUSTER", "SETSLOT", slot, "STABLE"}).text, "OK");
    told = false;
    other.refreshMap(&other, [&told] { told = true; });
    QVERIFY(waitUntil([&] { return told; }));
    fresh = other.map()->named(u"127.0.0.1:%1"_s.arg(m_fresh->port()));
    QVERIFY(fresh && !other.map()->takesFirst(*fresh));
}

void TestNewMaster::isNotDownWhileItIsBeingConnectedTo()
{
    Router router(m_cluster->node(0).tcpUrl());
    QVERIFY(opened(router));
    QVERIFY(m_cluster->moveSlotOf(m_name, *m_fresh));
    BatchProbe read;
    BatchProbe scanned;
    router.refreshMap(&router, [&] {
        router.send({{"GET", m_name}}, &router, read.handler());
        router.nodes().back()->send({{"DBSIZE"}}, &router, scanned.handler());
        for (NodeLink* node : router.nodes()) {
            if (!node->isReady())
                node->send({{"DBSIZE"}}, &router, scanned.handler());
        }
    });
    QVERIFY(waitUntil([&] { return read.calls > 0 && scanned.calls > 0; }));
    QCOMPARE(textOf(read.result), QByteArray("me"));
    QVERIFY(scanned.result && scanned.result->front().isInteger());
}

void TestNewMaster::isHeardOfByWhoMayNotAskForTheNodes()
{
    for (int i = 0; i < RedisCluster::size; ++i)
        m_cluster->node(i).line("ACL SETUSER reader on nopass ~* &* +@all -cluster|nodes");
    m_fresh->line("ACL SETUSER reader on nopass ~* &* +@all -cluster|nodes");
    ServerUrl url = m_cluster->node(0).tcpUrl();
    url.user = u"reader"_s;
    url.password = u"any"_s;
    Router router(url);
    QVERIFY(opened(router));
    QCOMPARE(router.nodes().size(), size_t(3));
    // By its own word: the first one hears of it only later.
    QVERIFY(m_cluster->moveSlotOf(m_name, 2));
    bool told = false;
    router.refreshMap(&router, [&told] { told = true; });
    QVERIFY(waitUntil([&] { return told; }));
    const ClusterMap::Node* owner =
        router.map()->named(u"127.0.0.1:%1"_s.arg(m_cluster->node(2).port()));
    QVERIFY(owner && owner->owns(keySlot(m_name)));
    QVERIFY(m_cluster->moveSlotOf(m_name, *m_fresh));
    QVERIFY(waitUntil([&] {
        told = false;
        router.refreshMap(&router, [&told] { told = true; });
        return waitUntil([&] { return told; }) && router.nodes().size() == 4;
    }));
    QCOMPARE(textOf(ask(router, {{"GET", m_name}})), QByteArray("me"));
}

LK_TEST(TestNewMaster);
#include "tst_newmaster.moc"
