// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "widgets/server/serverfacts.h"

#include <QTest>

#include <algorithm>

using namespace lk;
using namespace Qt::StringLiterals;

namespace {

ServerInfo infoOf(const QByteArray& lines)
{
    return ServerInfo::fromReply(Reply::bulk(lines));
}

Reply setting(const QByteArray& name, const QByteArray& value)
{
    return Reply::array({Reply::bulk(name), Reply::bulk(value)});
}

QString valueOf(const std::vector<FactGrid::Row>& rows, const QString& label)
{
    const auto it = std::find_if(rows.begin(), rows.end(),
                                 [&](const FactGrid::Row& row) { return row.label == label; });
    return it == rows.end() ? u"no such row"_s : it->value;
}

const QByteArray server = "redis_version:7.0.15\r\nrole:master\r\naof_enabled:0\r\n"
                          "rdb_changes_since_last_save:5\r\nrdb_last_save_time:1700000000\r\n"
                          "rdb_last_bgsave_status:ok\r\n";
constexpr qint64 nowMs = 1'700'000'060'000;

} // namespace

/// The Server board of a user who may not ask everything: what is not known is unknown, neither
/// good nor bad.
class TestServerFacts : public QObject
{
    Q_OBJECT

private slots:
    void durability_data()
    {
        QTest::addColumn<QByteArray>("info");
        QTest::addColumn<QByteArray>("save"); ///< "-": CONFIG is denied
        QTest::addColumn<QString>("begins");
        QTest::newRow("neither INFO nor CONFIG")
            << QByteArray() << QByteArray("-") << u"Unknown: no permission for INFO."_s;
        QTest::newRow("no INFO") << QByteArray() << QByteArray("900 1")
                                 << u"Unknown: no permission for INFO."_s;
        QTest::newRow("no CONFIG")
            << server << QByteArray("-")
            << u"Unknown: no append-only file, and no permission for CONFIG GET"_s;
        QTest::newRow("a service that does not tell")
            << QByteArray("redis_version:7.0.15\r\n") << QByteArray("-")
            << u"Unknown: this server does not report how it saves."_s;
        QTest::newRow("snapshots")
            << server << QByteArray("900 1") << u"Partly durable: only snapshots are on"_s;
        QTest::newRow("nothing is on") << server << QByteArray() << u"Not durable: snapshots and"_s;
    }
    void durability()
    {
        QFETCH(QByteArray, info);
        QFETCH(QByteArray, save);
        QFETCH(QString, begins);
        ServerInfo told = infoOf(info);
        if (save != "-")
            told.addConfig(setting("save", save));
        const QString text = durabilityText(told, nowMs);
        QVERIFY2(text.startsWith(begins), qPrintable(text));
    }

    void withoutInfoAllIsUnknown()
    {
        const ServerInfo nothing;
        QCOMPARE(replicationText(nothing), u"Unknown: no permission for INFO."_s);
        for (const auto& rows :
             {memoryFacts(nothing), persistenceFacts(nothing, nowMs), replicationFacts(nothing)}) {
            for (const FactGrid::Row& row : rows)
                QVERIFY2(row.value == u"unknown"_s, qPrintable(row.label + u": "_s + row.value));
        }
        for (const FactGrid::Row& row : identityFacts(nothing, ServerUrl()))
            QVERIFY2(row.value == u"unknown"_s || row.value == u"127.0.0.1:6379/0"_s,
                     qPrintable(row.label + u": "_s + row.value));
        ServerUrl group;
        group.deployment = ServerUrl::Deployment::Sentinel;
        QCOMPARE(valueOf(identityFacts(nothing, group), u"Mode"_s), u"sentinel"_s);
    }

    void aClusterSpeaksOfAllItsMasters()
    {
        const auto master = [](const char* endpoint) {
            NodeFacts node;
            node.endpoint = QString::fromLatin1(endpoint);
            node.slotCount = 5461;
            node.reachable = true;
            return node;
        };
        const auto replica = [](const char* endpoint, const char* of, bool up, qint64 lag) {
            NodeFacts node;
            node.endpoint = QString::fromLatin1(endpoint);
            node.master = QString::fromLatin1(of);
            node.reachable = up;
            node.lagBytes = lag;
            return node;
        };
        const ServerInfo info =
            infoOf("redis_version:7.0.15\r\nredis_mode:cluster\r\nrole:master\r\n"
                   "connected_slaves:0\r\n");
        std::vector<NodeFacts> nodes{master("a:1"), master("b:1"), master("c:1")};
        QVERIFY(replicationText(info, nodes).startsWith(u"None of the 3 masters has a replica"_s));
        QCOMPARE(valueOf(identityFacts(info, ServerUrl(), nodes), u"Role"_s), u"3 masters"_s);
        QCOMPARE(valueOf(memoryFacts(info, nodes), u"Used, all nodes"_s), u"unknown"_s);
        for (NodeFacts& node : nodes) {
            node.memoryBytes = node.endpoint == u"b:1"_s ? 3 << 20 : 1 << 20;
            node.clients = 4;
        }
        QCOMPARE(valueOf(memoryFacts(info, nodes), u"Used, all nodes"_s), u"5.2 MB"_s);
        QCOMPARE(valueOf(memoryFacts(info, nodes), u"Most used"_s), u"3.1 MB by b:1"_s);
        QCOMPARE(valueOf(identityFacts(info, ServerUrl(), nodes), u"Clients"_s), u"12"_s);
        NodeFacts failed = master("d:1"); // whose slots another one has by now
        failed.slotCount = 0;
        failed.reachable = false;
        nodes.push_back(failed);
        QCOMPARE(valueOf(identityFacts(info, ServerUrl(), nodes), u"Role"_s), u"3 masters"_s);
        nodes.pop_back();
        nodes.push_back(replica("a:2", "a:1", true, 10));
        nodes.push_back(replica("b:2", "b:1", true, 2048));
        nodes.push_back(replica("c:2", "c:1", false, 0));
        QVERIFY2(replicationText(info, nodes).startsWith(u"Masters without a replica: c:1."_s),
                 qPrintable(replicationText(info, nodes)));
        QCOMPARE(valueOf(replicationFacts(info, nodes), u"Replicas"_s), u"3"_s);
        QVERIFY(valueOf(replicationFacts(info, nodes), u"Largest replication lag"_s)
                    .startsWith(u"2"_s));
        nodes.back().reachable = true;
        QVERIFY(replicationText(info, nodes).startsWith(u"Each of the 3 masters has a replica"_s));
    }

    void aClusterNamesTheMastersThatKeepLess()
    {
        std::vector<NodeFacts> nodes;
        for (const char* endpoint : {"a:1", "b:1", "c:1"}) {
            NodeFacts node;
            node.endpoint = QString::fromLatin1(endpoint);
            node.slotCount = 5461;
            node.reachable = true;
            node.durability.appendOnly = true;
            node.durability.fsync = u"everysec"_s;
            node.durability.snapshots = false;
            node.durability.unsaved = 5;
            node.durability.lastSnapshotMs = nowMs - 60'000;
            node.durability.eviction = u"noeviction"_s;
            node.durability.maxMemory = 0;
            nodes.push_back(node);
        }
        // The entry says another thing than the nodes do: these count.
        const ServerInfo entry = infoOf(server);
        const auto said = [&] { return durabilityText(entry, nowMs, nodes); };
        QCOMPARE(said(), u"Durable: an append-only file is written; a crash of the machine loses "
                         "about one second. This applies to all 3 masters."_s);
        QCOMPARE(valueOf(persistenceFacts(entry, nowMs, nodes), u"Append-only file"_s), u"on"_s);
        QCOMPARE(valueOf(memoryFacts(entry, nodes), u"Limit per node"_s), u"none"_s);
        nodes[1].durability.appendOnly = false;
        QVERIFY2(said().startsWith(u"Not durable: snapshots and the append-only file are off"_s),
                 qPrintable(said()));
        QVERIFY2(said().contains(u"This applies to b:1.\nDurable: "_s), qPrintable(said()));
        QVERIFY2(said().endsWith(u"This applies to a:1, c:1."_s), qPrintable(said()));
        QCOMPARE(valueOf(persistenceFacts(entry, nowMs, nodes), u"Append-only file"_s),
                 u"a:1, c:1: on\nb:1: off"_s);
        QCOMPARE(durabilityWord(nodes[1].durability), u"nothing"_s);
        QCOMPARE(durabilityWord(nodes[0].durability), u"AOF, everysec"_s);
        // Those that save snapshots are one: the oldest of them, and what all would lose.
        for (NodeFacts& node : nodes) {
            node.durability.appendOnly = false;
            node.durability.snapshots = true;
        }
        nodes[2].durability.lastSnapshotMs = nowMs - 120'000;
        QVERIFY2(said().contains(u"the last one 2 m ago. A crash now would lose 15 changes."_s),
                 qPrintable(said()));
        nodes[0].durability.eviction = u"allkeys-lru"_s;
        QVERIFY(
            valueOf(memoryFacts(entry, nodes), u"Eviction"_s).startsWith(u"a:1: allkeys-lru"_s));
    }

    void aSentinelGroupNamesItsMaster()
    {
        ServerUrl group;
        group.deployment = ServerUrl::Deployment::Sentinel;
        group.masterName = u"mymaster"_s;
        NodeFacts master;
        master.endpoint = u"10.0.0.5:6379"_s;
        QCOMPARE(valueOf(identityFacts(infoOf(server), group, {master}), u"Role"_s),
                 u"master of mymaster: 10.0.0.5:6379"_s);
    }

    void withoutConfigSnapshotsAreUnknown()
    {
        const ServerInfo info = infoOf(server);
        QCOMPARE(valueOf(persistenceFacts(info, nowMs), u"Snapshots"_s), u"unknown"_s);
        QCOMPARE(valueOf(persistenceFacts(info, nowMs), u"Append-only file"_s), u"off"_s);
        ServerInfo aof = infoOf("redis_version:7.0.15\r\naof_enabled:1\r\n");
        QCOMPARE(valueOf(persistenceFacts(aof, nowMs), u"fsync"_s), u"unknown"_s);
        const QString text = durabilityText(aof, nowMs);
        QVERIFY2(text.contains(u"is unknown: no permission"_s), qPrintable(text));
    }
};

LK_TEST(TestServerFacts);
#include "tst_serverfacts.moc"
