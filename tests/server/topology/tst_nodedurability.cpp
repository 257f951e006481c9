// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionfindings.h"
#include "tests/server/livesession.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/rediscluster.h"
#include "tests/support/testprogram.h"

#include <QDir>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Persistence is read from each master: one master is no measure for all.
class TestNodeDurability : public QObject
{
    Q_OBJECT

private:
    RedisCluster m_cluster;

    QByteArray endpoint(int node) const
    {
        return "127.0.0.1:" + QByteArray::number(m_cluster.node(node).port());
    }
    /// "code name" of what the session finds of servers.
    static QByteArrayList findings(LiveSession& live)
    {
        QByteArrayList all;
        if (!live->findings().latest()) // not judged yet
            return {"none yet"};
        for (const LiveFindingPtr& row : live->findings().latest()->rows) {
            if (row->finding.ofServer)
                all << row->finding.code + ' ' + row->finding.name;
        }
        std::sort(all.begin(), all.end());
        return all;
    }
    static QJsonObject nodeAt(const TakenSnapshot& taken, const QByteArray& endpoint)
    {
        for (const QJsonValue& node : taken.root["server"_L1]["nodes"_L1].toArray()) {
            if (node["endpoint"_L1].toString().toLatin1() == endpoint)
                return node.toObject();
        }
        return {};
    }

private slots:
    void initTestCase()
    {
        QVERIFY(m_cluster.start());
        for (const int i : {0, 1})
            QCOMPARE(m_cluster.node(i).line("CONFIG SET appendonly yes").text, "OK");
    }

    void oneWithoutAppendOnlyFile_data();
    void oneWithoutAppendOnlyFile();
    void followedWhileItChanges();
    void oneThatCannotSave();
    void aUserWhoMayNotAskForSettings();
};

void TestNodeDurability::oneWithoutAppendOnlyFile_data()
{
    QTest::addColumn<int>("entry");
    QTest::newRow("by one with") << 0;
    QTest::newRow("by the one without") << 2;
}

void TestNodeDurability::oneWithoutAppendOnlyFile()
{
    QFETCH(int, entry);
    const TakenSnapshot taken = takeSnapshot(m_cluster.node(entry).tcpUrl());
    QVERIFY(taken.snapshot);
    QCOMPARE(taken.findings(endpoint(2)), QByteArrayList{"uneven-durability"});
    QCOMPARE(taken.findings(endpoint(0)), QByteArrayList());
    for (int i = 0; i < RedisCluster::size; ++i) {
        const QJsonObject told = nodeAt(taken, endpoint(i))["durability"_L1].toObject();
        QCOMPARE(told["append_only"_L1].toBool(i == 2), i != 2);
        QCOMPARE(told["fsync"_L1].toString(), u"everysec"_s);
        QCOMPARE(told["snapshots"_L1].toBool(true), false);
        QCOMPARE(told["eviction"_L1].toString(), u"noeviction"_s);
    }
}

void TestNodeDurability::followedWhileItChanges()
{
    LiveSession live(m_cluster.node(0).tcpUrl());
    QTRY_COMPARE_WITH_TIMEOUT(findings(live), QByteArrayList{"uneven-durability " + endpoint(2)},
                              30'000);
    m_cluster.node(2).line("CONFIG SET appendonly yes");
    m_cluster.node(1).lines(
        {"CONFIG SET maxmemory 100mb", "CONFIG SET maxmemory-policy allkeys-lru"});
    QTRY_COMPARE_WITH_TIMEOUT(findings(live), QByteArrayList{"uneven-eviction " + endpoint(1)},
                              30'000);
    m_cluster.node(1).lines({"CONFIG SET maxmemory-policy noeviction", "CONFIG SET maxmemory 0"});
    QTRY_COMPARE_WITH_TIMEOUT(findings(live), QByteArrayList(), 30'000);
    m_cluster.node(2).line("CONFIG SET appendonly no");
}

// Where the snapshot is to go stands a folder: as with a full disk it fails.
void TestNodeDurability::oneThatCannotSave()
{
    RedisServer& node = m_cluster.node(1);
    const QString folder = QString::fromUtf8(node.line("CONFIG GET dir").items[1].text);
    QVERIFY(QDir().mkpath(folder + u"/dump.rdb"_s));
    node.lines({"CONFIG SET save \"900 1\"", "BGSAVE"});
    QTRY_VERIFY_WITH_TIMEOUT(
        node.line("INFO persistence").text.contains("rdb_last_bgsave_status:err"), 20'000);
    const TakenSnapshot taken = takeSnapshot(m_cluster.node(0).tcpUrl());
    QVERIFY(taken.snapshot);
    QCOMPARE(taken.findings(endpoint(1)), QByteArrayList{"cannot-save"});
    QVERIFY2(taken.text.contains(endpoint(1) + ": The last snapshot failed"),
             taken.text.constData());
    QCOMPARE(nodeAt(taken, endpoint(1))["durability"_L1]["can_save"_L1].toBool(true), false);
    QVERIFY(QDir().rmdir(folder + u"/dump.rdb"_s));
    node.lines({"CONFIG SET save \"\"", "BGSAVE"});
    QTRY_VERIFY_WITH_TIMEOUT(
        node.line("INFO persistence").text.contains("rdb_last_bgsave_status:ok"), 20'000);
}

// INFO reports that there is no append-only file. Nothing is reported about snapshots, and no node
// is asked again for a refused setting.
void TestNodeDurability::aUserWhoMayNotAskForSettings()
{
    for (int i = 0; i < RedisCluster::size; ++i)
        m_cluster.node(i).line("ACL SETUSER reader on nopass ~* &* +@all -config");
    ServerUrl url = m_cluster.node(0).tcpUrl();
    url.user = u"reader"_s;
    url.password = u"any"_s;
    LiveSession live(url);
    QTRY_COMPARE_WITH_TIMEOUT(findings(live), QByteArrayList{"uneven-durability " + endpoint(2)},
                              30'000);
    for (const NodeFacts& node : live->report().nodes) {
        QVERIFY(!node.durability.snapshots);
        QVERIFY(node.durability.fsync.isEmpty());
    }
    const auto denied = [&] { return m_cluster.node(1).line("ACL LOG").items.size(); };
    const size_t before = denied();
    QVERIFY(live.seconds(12));
    QCOMPARE(denied(), before);
}

LK_TEST(TestNodeDurability);
#include "tst_nodedurability.moc"
