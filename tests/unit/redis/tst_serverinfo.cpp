// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/server/serverinfo.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

Q_DECLARE_METATYPE(lk::Reply)
Q_DECLARE_METATYPE(lk::MasterLink)

namespace {

ServerInfo infoOf(const QByteArray& text)
{
    return ServerInfo::fromReply(Reply::bulk(text));
}

} // namespace

class TestServerInfo : public QObject
{
    Q_OBJECT

private slots:
    void readsFields();
    void modeByEitherName();
    void namesAreReadAsTheyAreWritten();
    void emptyWhereDenied();
    void readsTime_data();
    void readsTime();
    void helpsOutWithInfosClock();
    void standsWithItsMaster_data();
    void standsWithItsMaster();
    void roleWithoutInfo();
    void saysWhichDiskFails();
    void whatNoServerCanMean_data();
    void whatNoServerCanMean();
    void prefersTheShorterRoundTrip();
    void followsAClockThatWasSet();
    void ignoresImpossibleMeasurements();
};

void TestServerInfo::readsFields()
{
    const ServerInfo info = infoOf("# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\n"
                                   "\r\n# Replication\r\nrole:master\r\nused_memory:1048576\r\n"
                                   "os:Linux 6.1: x86\r\nempty:\r\nbroken line\r\n");
    QVERIFY(!info.isEmpty());
    QCOMPARE(info.version(), QStringLiteral("7.0.15"));
    QCOMPARE(info.mode(), ServerMode::Standalone);
    QCOMPARE(info.role(), NodeRole::Master);
    QCOMPARE(info.text("os"), QStringLiteral("Linux 6.1: x86"));
    QCOMPARE(info.text("empty"), QString());
    QCOMPARE(info.text("absent"), QString());
    QCOMPARE(info.number("used_memory"), std::optional<qint64>(1048576));
    QVERIFY(!info.number("role"));
    QVERIFY(!info.number("absent"));
}

// As Valkey 8.0.1 writes it, which leaves the old name out.
void TestServerInfo::modeByEitherName()
{
    const QByteArray valkey = "redis_version:7.2.4\r\nserver_name:valkey\r\n"
                              "valkey_version:8.0.1\r\n";
    QCOMPARE(infoOf(valkey + "server_mode:cluster\r\n").mode(), ServerMode::Cluster);
    QCOMPARE(infoOf("server_mode:x\r\nredis_mode:cluster\r\n").mode(), ServerMode::Cluster);
    QCOMPARE(infoOf("redict_version:7.3.2\r\nredict_mode:cluster\r\n").mode(), ServerMode::Cluster);
    QCOMPARE(infoOf(valkey).mode(), ServerMode::Unknown);
}

// Recordings and INFO are read by the names that the JSON has.
void TestServerInfo::namesAreReadAsTheyAreWritten()
{
    for (const Flavour flavour :
         {Flavour::Redis, Flavour::Valkey, Flavour::KeyDb, Flavour::Dragonfly}) {
        QVERIFY(!flavourName(flavour).isEmpty());
        QCOMPARE(flavourFromName(flavourName(flavour)), flavour);
    }
    for (const ServerMode mode :
         {ServerMode::Standalone, ServerMode::Sentinel, ServerMode::Cluster}) {
        QVERIFY(!serverModeName(mode).isEmpty());
        QCOMPARE(serverModeFromName(serverModeName(mode)), mode);
    }
    for (const NodeRole role : {NodeRole::Master, NodeRole::Replica, NodeRole::ActiveReplica}) {
        QVERIFY(!nodeRoleName(role).isEmpty());
        QCOMPARE(nodeRoleFromName(nodeRoleName(role)), role);
    }
    QCOMPARE(nodeRoleFromName(u"slave"), NodeRole::Replica);
    QCOMPARE(nodeRoleFromName(u"arbiter"), NodeRole::Unknown);
    QCOMPARE(nodeRoleName(NodeRole::Unknown), QString());
    QCOMPARE(flavourFromName(QString()), Flavour::Unknown);
    const ServerInfo keyDb = infoOf("redis_version:6.3.4\r\nrole:active-replica\r\n");
    QCOMPARE(keyDb.role(), NodeRole::ActiveReplica); // which takes writes
    QVERIFY(!keyDb.isReplica());
}

void TestServerInfo::emptyWhereDenied()
{
    for (const Reply& reply : {Reply::error("NOPERM no"), Reply::nil(), Reply::array({})}) {
        const ServerInfo info = ServerInfo::fromReply(reply);
        QVERIFY(info.isEmpty());
        QVERIFY(info.version().isEmpty());
    }
}

void TestServerInfo::readsTime_data()
{
    QTest::addColumn<Reply>("reply");
    QTest::addColumn<qint64>("ms"); // -1: none
    const auto row = [](const char* name, const Reply& reply, qint64 ms) {
        QTest::newRow(name) << reply << ms;
    };
    const auto time = [](const char* seconds, const char* microseconds) {
        return Reply::array({Reply::bulk(seconds), Reply::bulk(microseconds)});
    };
    row("time", time("1700000000", "123999"), 1'700'000'000'123);
    row("start of a second", time("1700000000", "0"), 1'700'000'000'000);
    row("error", Reply::error("NOPERM no"), -1);
    row("one part", Reply::array({Reply::bulk("1700000000")}), -1);
    row("words", time("now", "0"), -1);
    row("negative", time("-1", "0"), -1);
    row("overflow", time("9223372036854775807", "0"), -1);
    row("too many microseconds", time("1", "1000000"), -1);
}

void TestServerInfo::readsTime()
{
    QFETCH(Reply, reply);
    QFETCH(qint64, ms);
    QCOMPARE(timeFromReply(reply).value_or(-1), ms);
}

void TestServerInfo::helpsOutWithInfosClock()
{
    const Reply denied = Reply::error("NOPERM no");
    const Reply time = Reply::array({Reply::bulk("1700000000"), Reply::bulk("0")});
    const ServerInfo info = infoOf("server_time_usec:1700000005000000\r\n");
    const ServerClock server = clockFrom({}, 1000, 1010, time, info);
    QCOMPARE(server.source, TimeSource::Server);
    QCOMPARE(server.serverMs(1005), 1'700'000'000'000);
    const ServerClock byInfo = clockFrom({}, 1000, 1010, denied, info);
    QCOMPARE(byInfo.source, TimeSource::Info);
    QCOMPARE(byInfo.serverMs(1005), 1'700'000'005'000);
    const ServerClock local = clockFrom(server, 1000, 1010, denied, infoOf({}));
    QCOMPARE(local.source, TimeSource::Local);
    QCOMPARE(local.serverMs(1005), 1005);
    QVERIFY(!local.known());
}

void TestServerInfo::standsWithItsMaster_data()
{
    QTest::addColumn<QByteArray>("info");
    QTest::addColumn<MasterLink>("link");
    const QByteArray replica = "role:slave\r\nmaster_host:::1\r\nmaster_port:6379\r\n";
    QTest::newRow("master") << QByteArray("role:master\r\n") << MasterLink::Unknown;
    QTest::newRow("up") << replica + "master_link_status:up\r\n" << MasterLink::Up;
    QTest::newRow("up, and last heard of a while ago")
        << replica + "master_link_status:up\r\nmaster_last_io_seconds_ago:26\r\n"
        << MasterLink::Up;
    QTest::newRow("up, and not heard of yet")
        << replica + "master_link_status:up\r\nmaster_last_io_seconds_ago:-1\r\n"
        << MasterLink::Up;
    QTest::newRow("syncing") << replica + "master_link_status:down\r\nmaster_sync_in_progress:1\r\n"
                             << MasterLink::Syncing;
    QTest::newRow("down") << replica + "master_link_status:down\r\nmaster_sync_in_progress:0\r\n"
                                       "master_link_down_since_seconds:75\r\n"
                          << MasterLink::Down;
    QTest::newRow("never up") << replica + "master_link_status:down\r\n"
                                           "master_link_down_since_seconds:-1\r\n"
                              << MasterLink::NeverUp;
    QTest::newRow("not told") << replica << MasterLink::Unknown;
}

void TestServerInfo::standsWithItsMaster()
{
    QFETCH(QByteArray, info);
    QFETCH(MasterLink, link);
    const ServerFacts facts = infoOf(info).facts(QStringLiteral("here:1/0"));
    QCOMPARE(facts.masterLink, link);
    QCOMPARE(facts.role, info.contains("slave") ? NodeRole::Replica : NodeRole::Master);
    QCOMPARE(facts.master, info.contains("slave") ? QStringLiteral("[::1]:6379") : QString());
    QCOMPARE(facts.masterDownMs,
             link == MasterLink::Down ? std::optional<qint64>(75'000) : std::nullopt);
    QCOMPARE(facts.masterSilentMs,
             info.contains("ago:26") ? std::optional<qint64>(26'000) : std::nullopt);
}

void TestServerInfo::roleWithoutInfo()
{
    ServerInfo info;
    info.addRole(Reply::array({Reply::bulk("slave"), Reply::bulk("10.0.0.1"), Reply::number(6380),
                               Reply::bulk("connect"), Reply::number(-1)}));
    QVERIFY(info.isReplica());
    QCOMPARE(info.masterEndpoint(), QStringLiteral("10.0.0.1:6380"));
    QCOMPARE(info.facts({}).masterLink, MasterLink::Down);
    ServerInfo told = infoOf("role:master\r\n");
    told.addRole(Reply::error("NOPERM no"));
    QCOMPARE(told.role(), NodeRole::Master);
    ServerInfo sentinel;
    sentinel.addRole(
        Reply::array({Reply::bulk("sentinel"), Reply::array({Reply::bulk("orders")})}));
    QCOMPARE(sentinel.mode(), ServerMode::Sentinel);
    QCOMPARE(sentinel.role(), NodeRole::Unknown);
}

void TestServerInfo::saysWhichDiskFails()
{
    QCOMPARE(infoOf("aof_enabled:0\r\nrdb_last_bgsave_status:ok\r\n").facts({}).diskError,
             DiskError::None);
    QCOMPARE(infoOf("rdb_last_bgsave_status:err\r\n").facts({}).diskError, DiskError::Snapshot);
    QCOMPARE(infoOf("aof_enabled:1\r\naof_last_write_status:err\r\n").facts({}).diskError,
             DiskError::AppendOnlyFile);
}

void TestServerInfo::whatNoServerCanMean_data()
{
    QTest::addColumn<QByteArray>("number");
    for (const char* number : {"9223372036854775807", "-9223372036854775808", "1e300", "-1", "nan",
                               "inf", "99999999999999999999999", "", "0x10"})
        QTest::newRow(*number ? number : "empty") << QByteArray(number);
}

// Sanitizers see what is wrong with it.
void TestServerInfo::whatNoServerCanMean()
{
    QFETCH(QByteArray, number);
    QByteArray lines = "role:slave\nmaster_link_status:down\nloading:1\n";
    for (const char* field : {"master_link_down_since_seconds", "loading_loaded_perc",
                              "loading_eta_seconds", "aof_enabled", "rdb_last_save_time",
                              "rdb_changes_since_last_save", "maxmemory", "uptime_in_seconds"})
        lines += QByteArray(field) + ':' + number + '\n';
    const ServerInfo info = ServerInfo::fromReply(Reply::bulk(lines));
    const ServerFacts facts = info.facts({});
    QVERIFY(std::llabs(facts.masterDownMs.value_or(0)) <= 100'000'000'000'000);
    QVERIFY(std::llabs(info.durability().lastSnapshotMs.value_or(0)) <= 100'000'000'000'000);
    QVERIFY(info.loadingText().size() < 60);
}

void TestServerInfo::prefersTheShorterRoundTrip()
{
    ServerClock clock;
    QVERIFY(!clock.known());
    clock = betterClock(clock, 1000, 1100, 6050);
    QVERIFY(clock.known());
    QCOMPARE(clock.offsetMs, 5000);
    QCOMPARE(clock.roundTripMs, 100);
    clock = betterClock(clock, 2000, 2010, 7015); // shorter
    QCOMPARE(clock.offsetMs, 5010);
    QCOMPARE(clock.roundTripMs, 10);
    clock = betterClock(clock, 3000, 3400, 8290); // longer, and the known offset may be true
    QCOMPARE(clock.offsetMs, 5010);
    QCOMPARE(clock.roundTripMs, 10);
}

void TestServerInfo::followsAClockThatWasSet()
{
    const ServerClock known{5000, 2};
    const ServerClock clock = betterClock(known, 10'000, 10'040, 70'020);
    QCOMPARE(clock.offsetMs, 60'000);
    QCOMPARE(clock.roundTripMs, 40);
}

void TestServerInfo::ignoresImpossibleMeasurements()
{
    const ServerClock known{5000, 2};
    QCOMPARE(betterClock(known, 10'000, 9'000, 1).offsetMs, 5000);
    QVERIFY(!betterClock({}, 10'000, 9'000, 1).known());
}

LK_TEST(TestServerInfo);
#include "tst_serverinfo.moc"
