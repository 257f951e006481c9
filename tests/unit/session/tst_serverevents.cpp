// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/recording/serverevents.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

namespace {

constexpr qint64 t0 = 1'700'000'000'000;

ServerInfo info(const QByteArray& runId, qint64 upSeconds, const QByteArray& more = {})
{
    return ServerInfo::fromReply(
        Reply::bulk("redis_version:7.0.15\r\nrun_id:" + runId +
                    "\r\nuptime_in_seconds:" + QByteArray::number(upSeconds) + "\r\n" + more));
}

NodeFacts node(const char* endpoint, const char* role, std::optional<bool> reachable)
{
    NodeFacts facts;
    facts.endpoint = QString::fromLatin1(endpoint);
    facts.role = nodeRoleFromName(QString::fromLatin1(role));
    facts.reachable = reachable;
    return facts;
}

QList<EventType> typesOf(const std::vector<RecordedEvent>& events)
{
    QList<EventType> types;
    for (const RecordedEvent& event : events)
        types << event.type;
    return types;
}

} // namespace

/// The facts that a session receives about its server, and the events that follow from them.
class TestServerEvents : public QObject
{
    Q_OBJECT

private slots:
    void whoBeganLaterIsTheSameRestarted_data();
    void whoBeganLaterIsTheSameRestarted();
    void anotherNodeThatTellsIsNoFailover();
    void whatIsNotToldChangesNothing();
    void aChangedSettingIsTold_data();
    void aChangedSettingIsTold();
    void whatOnlyConfigTellsIsTold_data();
    void whatOnlyConfigTellsIsTold();
    void aChangedRoleIsTold();
    void aNodeThatIsLostAndBackIsToldOnce();
    void anotherMasterIsAFailoverAMoreIsNot();
};

void TestServerEvents::whoBeganLaterIsTheSameRestarted_data()
{
    QTest::addColumn<qint64>("upBefore"); // seconds, when it was last heard
    QTest::addColumn<qint64>("goneForMs");
    QTest::addColumn<qint64>("upAfter");
    QTest::addColumn<EventType>("type");
    QTest::newRow("soon") << 500LL << 3000LL << 1LL << EventType::ServerRestarted;
    // It is heard again later than it had been up before: still the same one.
    QTest::newRow("after a short life") << 1LL << 9000LL << 8LL << EventType::ServerRestarted;
    QTest::newRow("within the second") << 0LL << 1000LL << 1LL << EventType::ServerRestarted;
    QTest::newRow("a replica that was there") << 500LL << 3000LL << 400LL << EventType::Failover;
    QTest::newRow("an older one") << 500LL << 3000LL << 9000LL << EventType::Failover;
}

void TestServerEvents::whoBeganLaterIsTheSameRestarted()
{
    QFETCH(qint64, upBefore);
    QFETCH(qint64, goneForMs);
    QFETCH(qint64, upAfter);
    QFETCH(EventType, type);
    ServerEvents events;
    QVERIFY(events.onInfo(info("a1", upBefore), t0).empty());
    QVERIFY(events.onInfo(info("a1", upBefore), t0).empty());
    const auto told = events.onInfo(info("b2", upAfter), t0 + goneForMs);
    QCOMPARE(typesOf(told), QList<EventType>{type});
    QCOMPARE(told[0].tMs, t0 + goneForMs);
    QVERIFY(events.onInfo(info("b2", upAfter + 1), t0 + goneForMs + 1000).empty()); // once
}

// In a cluster any node may report, in a Sentinel group its current master. A takeover shows in the
// nodes.
void TestServerEvents::anotherNodeThatTellsIsNoFailover()
{
    ServerEvents events;
    QVERIFY(events.onInfo(info("a1", 500, "maxmemory:1\r\nrole:master\r\n"), t0, true).empty());
    QVERIFY(
        events.onInfo(info("b2", 400, "maxmemory:2\r\nrole:slave\r\n"), t0 + 3000, true).empty());
    QCOMPARE(typesOf(events.onInfo(info("b3", 1, "maxmemory:2\r\n"), t0 + 9000, true)),
             QList<EventType>{EventType::ServerRestarted});
}

// As of a server that was too busy to tell.
void TestServerEvents::whatIsNotToldChangesNothing()
{
    ServerEvents events;
    QVERIFY(events.onInfo(info("a1", 100), t0).empty());
    QVERIFY(events.onInfo({}, t0 + 1000).empty());
    QCOMPARE(typesOf(events.onInfo(info("b2", 1), t0 + 5000)),
             QList<EventType>{EventType::ServerRestarted});
}

void TestServerEvents::aChangedSettingIsTold_data()
{
    QTest::addColumn<QByteArray>("field");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("now");
    const auto row = [](const char* field, const char* before, const char* now) {
        QTest::newRow(field) << QByteArray(field) << QByteArray(before) << QByteArray(now);
    };
    row("maxmemory", "0", "1000000");
    row("maxmemory_policy", "noeviction", "allkeys-lru");
    row("maxclients", "10000", "100");
    row("aof_enabled", "1", "0");
    row("cluster_enabled", "0", "1");
    row("configured_hz", "10", "100");
}

void TestServerEvents::aChangedSettingIsTold()
{
    QFETCH(QByteArray, field);
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, now);
    ServerEvents events;
    QVERIFY(events.onInfo(info("a1", 100, field + ':' + before + "\r\n"), t0).empty());
    const auto told = events.onInfo(info("a1", 101, field + ':' + now + "\r\n"), t0 + 1000);
    QCOMPARE(typesOf(told), QList<EventType>{EventType::ConfigChanged});
    QCOMPARE(told[0].code, QByteArray(field).replace('_', '-'));
    QCOMPARE(told[0].text, QString::fromLatin1(now));
    QCOMPARE(told[0].detail, QString::fromLatin1(before));
}

void TestServerEvents::whatOnlyConfigTellsIsTold_data()
{
    QTest::addColumn<QByteArray>("setting");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("now");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("detail");
    QTest::newRow("fsync") << QByteArray("appendfsync") << QByteArray("everysec")
                           << QByteArray("no") << QStringLiteral("no")
                           << QStringLiteral("everysec");
    QTest::newRow("from nothing") << QByteArray("notify-keyspace-events") << QByteArray()
                                  << QByteArray("KEA") << QStringLiteral("KEA")
                                  << QStringLiteral("\"\"");
    QTest::newRow("to nothing") << QByteArray("save") << QByteArray("3600 1") << QByteArray()
                                << QStringLiteral("\"\"") << QStringLiteral("3600 1");
    QTest::newRow("the same") << QByteArray("timeout") << QByteArray("0") << QByteArray("0")
                              << QString() << QString();
}

void TestServerEvents::whatOnlyConfigTellsIsTold()
{
    QFETCH(QByteArray, setting);
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, now);
    QFETCH(QString, text);
    QFETCH(QString, detail);
    const auto with = [&](const QByteArray& value) {
        ServerInfo told = info("a1", 100);
        told.addConfig(Reply::array({Reply::bulk(setting), Reply::bulk(value)}));
        return told;
    };
    ServerEvents events;
    QVERIFY(events.onInfo(info("a1", 100), t0).empty());
    QVERIFY(events.onInfo(with(before), t0 + 1000).empty()); // it is told for the first time
    const auto told = events.onInfo(with(now), t0 + 2000);
    if (text.isEmpty()) {
        QVERIFY(told.empty());
        return;
    }
    QCOMPARE(typesOf(told), QList<EventType>{EventType::ConfigChanged});
    QCOMPARE(told[0].code, setting);
    QCOMPARE(told[0].text, text);
    QCOMPARE(told[0].detail, detail);
    // A user who loses the permission for CONFIG reports no change.
    QVERIFY(events.onInfo(info("a1", 100), t0 + 3000).empty());
}

void TestServerEvents::aChangedRoleIsTold()
{
    ServerEvents events;
    QVERIFY(events.onInfo(info("a1", 100, "role:master\r\n"), t0).empty());
    const auto told = events.onInfo(info("a1", 101,
                                         "role:slave\r\nmaster_host:10.0.0.2\r\n"
                                         "master_port:6379\r\n"),
                                    t0 + 1000);
    QCOMPARE(typesOf(told), QList<EventType>{EventType::RoleChanged});
    QCOMPARE(told[0].code, QByteArray("replica"));
    QCOMPARE(told[0].who, QStringLiteral("10.0.0.2:6379"));
}

void TestServerEvents::aNodeThatIsLostAndBackIsToldOnce()
{
    ServerEvents events;
    const auto report = [](std::optional<bool> second, qint64 atMs) {
        MonitorReport made;
        made.atMs = atMs;
        made.nodes = {node("n1", "master", true), node("n2", "replica", second)};
        return made;
    };
    QVERIFY(events.onReport(report(true, t0)).empty());
    const auto lost = events.onReport(report(false, t0 + 1000));
    QCOMPARE(typesOf(lost), QList<EventType>{EventType::NodeLost});
    QCOMPARE(lost[0].who, QStringLiteral("n2"));
    QCOMPARE(lost[0].tMs, t0 + 1000);
    QVERIFY(events.onReport(report(false, t0 + 2000)).empty());
    QCOMPARE(typesOf(events.onReport(report(true, t0 + 3000))),
             QList<EventType>{EventType::NodeBack});
}

void TestServerEvents::anotherMasterIsAFailoverAMoreIsNot()
{
    ServerEvents events;
    const auto report = [](const QStringList& masters) {
        MonitorReport made;
        made.atMs = t0;
        for (const QString& master : masters)
            made.nodes.push_back(node(master.toLatin1().constData(), "master", true));
        return made;
    };
    QVERIFY(events.onReport(report({QStringLiteral("n1"), QStringLiteral("n2")})).empty());
    const auto told = events.onReport(report({QStringLiteral("n1"), QStringLiteral("n3")}));
    QCOMPARE(typesOf(told), QList<EventType>{EventType::Failover});
    QCOMPARE(told[0].who, QStringLiteral("n3"));
    QCOMPARE(told[0].detail, QStringLiteral("n2"));
    QVERIFY(
        events.onReport(report({QStringLiteral("n1"), QStringLiteral("n3"), QStringLiteral("n4")}))
            .empty());
}

LK_TEST(TestServerEvents);
#include "tst_serverevents.moc"
