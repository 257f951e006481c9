// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionpolling.h"
#include "tests/server/acting.h"
#include "tests/server/livesession.h"
#include "tests/server/takensnapshot.h"
#include "tests/server/versionguise.h"
#include "tests/support/guiseserver.h"
#include "tests/support/testprogram.h"

#include <map>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

constexpr auto dataCommands = {"HSET res:lock:a 285475da-9152-4c83-822a-67ee2f116a79:52 1",
                               "PEXPIRE res:lock:a 600000",
                               "SET lock:a w1 PX 600000",
                               "RPUSH jobs b a",
                               "RPUSH jobs:processing d c",
                               "XADD events 1-1 a b",
                               "XGROUP CREATE events workers 0",
                               "ZADD scheduled 1 a"};

void fill(RedisServer& server)
{
    for (const char* command : dataCommands)
        server.line(command);
}

struct VersionRow
{
    QByteArray name;
    GuiseServer::Guise guise;
    bool noTouch;
    bool samples;
    bool tracks;
};

std::vector<VersionRow> versionRows()
{
    std::vector<VersionRow> rows;
    const auto redis = [&rows](const char* version, bool noTouch, bool samples = true,
                               bool tracks = true) {
        rows.push_back(
            {QByteArray("redis ") + version, redisGuise(version), noTouch, samples, tracks});
    };
    const auto valkey = [&rows](const char* version, bool noTouch) {
        rows.push_back(
            {QByteArray("valkey ") + version, valkeyGuise(version), noTouch, true, true});
    };
    redis("5.0.14", false, false, false);
    redis("6.0.5", false, false);
    redis("6.0.16", false, false);
    redis("6.2.14", false);
    redis("7.0.15", false);
    redis("7.2.5", true);
    redis("7.4.1", true);
    redis("8.0.0", false);
    redis("8.2.2", false);
    redis("8.2.3", true);
    redis("8.4.0", true);
    valkey("7.2.8", true);
    valkey("8.0.1", false);
    valkey("8.0.9", false);
    valkey("8.1.3", false);
    valkey("8.1.4", true);
    valkey("9.0.0", true);
    valkey("9.1.0", true);
    rows.push_back({"keydb 6.3.4", keyDbGuise("6.3.4"), false, false, true});
    // It has the command CLIENT TRACKING, but neither BCAST nor REDIRECT.
    rows.push_back(
        {"dragonfly 1.25",
         {"redis_version:7.4.0\r\ndragonfly_version:df-v1.25.1",
          {"ACL DRYRUN", "CLIENT NO-TOUCH", "CLIENT TRACKING", "CLIENT TRACKINGINFO", "CLIENT ID",
           "CLUSTER SLOT-STATS", "DELIFEQ", "COMMAND DOCS", "FUNCTION", "HELLO"}},
         false,
         true,
         false});
    return rows;
}

struct ServiceRow
{
    QByteArray name;
    GuiseServer::Guise guise;
    QByteArray asked; ///< and not again and again
};

std::vector<ServiceRow> serviceRows()
{
    return {{"without CONFIG", {"redis_version:7.0.15", {"CONFIG"}}, "CONFIG"},
            {"without CLIENT", {"redis_version:7.0.15", {"CLIENT"}}, "CLIENT"},
            {"without both, and INFO denied",
             {"redis_version:8.0.0", {"CONFIG", "CLIENT"}, {"INFO"}},
             "CONFIG"},
            {"INFO denied", {"redis_version:8.0.0", {}, {"INFO"}}, "INFO"}};
}

/// A session on a server in disguise.
struct Watched
{
    Watched(RedisServer& behind, const GuiseServer::Guise& guise)
        : server(behind, guise)
        , live(server.url())
    {}

    bool isThere() { return live.scanned() && live.state("res:lock:a"); }

    GuiseServer server;
    LiveSession live;
    int before = 0; ///< how often it was asked for what it lacks, and a while later
    int after = 0;
};

} // namespace

/// The commands that the console sends to each version, recorded by a fake server.
class TestServerVersions : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void nothingThatItLacks_data();
    void nothingThatItLacks();
    void actsOnEach_data();
    void actsOnEach();
    void withoutScripts_data();
    void withoutScripts();
    void managedServices_data();
    void managedServices();

private:
    void watchAllVersions();
    void watchAllServices();

    RedisServer m_server;
    RedisServer m_lasting; ///< holds the data that is watched
    std::map<QByteArray, std::unique_ptr<Watched>> m_watched;
    std::map<QByteArray, std::unique_ptr<Watched>> m_services;
};

Q_DECLARE_METATYPE(lk::test::GuiseServer::Guise)

void TestServerVersions::initTestCase()
{
    QVERIFY2(m_server.start(), m_server.output());
    QVERIFY2(m_lasting.start(), m_lasting.output());
    fill(m_lasting);
}

void TestServerVersions::actsOnEach_data()
{
    m_watched.clear(); // those have been judged
    nothingThatItLacks_data();
}

void TestServerVersions::init()
{
    m_server.flush();
    fill(m_server);
}

void TestServerVersions::nothingThatItLacks_data()
{
    QTest::addColumn<GuiseServer::Guise>("guise");
    QTest::addColumn<bool>("noTouch");
    QTest::addColumn<bool>("samples");
    QTest::addColumn<bool>("tracks");
    for (const VersionRow& row : versionRows())
        QTest::newRow(row.name.constData())
            << row.guise << row.noTouch << row.samples << row.tracks;
}

// All versions are watched side by side: each takes its time.
void TestServerVersions::watchAllVersions()
{
    if (!m_watched.empty())
        return;
    for (const VersionRow& row : versionRows())
        m_watched[row.name] = std::make_unique<Watched>(m_lasting, row.guise);
    for (const auto& [name, watched] : m_watched) {
        LiveSession& live = watched->live;
        QTRY_VERIFY2_WITH_TIMEOUT(watched->isThere(), name.constData(), 60'000);
        QTRY_VERIFY2_WITH_TIMEOUT(live.feed().mode != FeedStatus::Mode::Starting, name.constData(),
                                  60'000);
        live->polling().setAttention({live.handle("jobs")}, live.handle("jobs"));
    }
    for (const auto& [name, watched] : m_watched)
        QVERIFY2(watched->live.seconds(2), name.constData());
}

void TestServerVersions::nothingThatItLacks()
{
    QFETCH(GuiseServer::Guise, guise);
    QFETCH(bool, noTouch);
    QFETCH(bool, samples);
    QFETCH(bool, tracks);
    watchAllVersions();
    Watched& watched = *m_watched.at(QTest::currentDataTag());
    const GuiseServer& server = watched.server;
    const TakenSnapshot look = takeSnapshot(server.url());
    QVERIFY2(look.snapshot, qPrintable(errorText(look.error)));
    QCOMPARE(look.snapshot->server.mode, ServerMode::Standalone);
    QVERIFY2(look.named("locks", "res:lock:a")["owner"_L1].toString().startsWith(u"285475da"_s),
             look.json.constData()); // proven by its fields' names
    QCOMPARE(look.named("queues", "jobs")["ready"_L1].toInt(), 2);

    QCOMPARE(server.unknown(), QByteArrayList());
    QCOMPARE(server.count("CLIENT NO-TOUCH") > 0, noTouch);
    QCOMPARE(server.count("HRANDFIELD") > 0, samples);
    QCOMPARE(server.count("CLIENT TRACKING") > 0, tracks);
    QCOMPARE(watched.live.feed().mode == FeedStatus::Mode::Tracking, tracks);
    QCOMPARE(server.count("HELLO"), 0);
    const int told = server.firstPlace("INFO");
    for (const Since& optional : since) {
        const int place = server.firstPlace(optional.words);
        QVERIFY2(place < 0 || place > told, optional.words);
    }
}

// A connection that may write never asks for NO-TOUCH, whatever the version.
void TestServerVersions::actsOnEach()
{
    QFETCH(GuiseServer::Guise, guise);
    GuiseServer server(m_server, guise);
    Actor actor(server.url());
    QVERIFY(actor.open());
    const Receipt released =
        actor.act(declaredPrimitive("set-nx-px", "lock:a"), "lock.release", {{"owner", "w1"}});
    QVERIFY2(released.outcome == Outcome::Succeeded, qPrintable(released.text));
    QVERIFY(m_server.line("GET lock:a").isNil());
    const Receipt dropped =
        actor.act(declaredPrimitive("reliable-list", "jobs"), "queue.discard", {{"index", "1"}});
    QVERIFY2(dropped.outcome == Outcome::Succeeded, qPrintable(dropped.text));
    QCOMPARE(server.unknown(), QByteArrayList());
    QCOMPARE(server.count("CLIENT NO-TOUCH"), 0);
}

void TestServerVersions::withoutScripts_data()
{
    QTest::addColumn<QByteArray>("info");
    QTest::addColumn<QByteArray>("releases"); ///< empty: nothing does
    const QByteArray valkey = "redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:";
    QTest::newRow("valkey 9.1") << QByteArray(valkey + "9.1.0") << QByteArray("DELIFEQ");
    QTest::newRow("valkey 8.1") << QByteArray(valkey + "8.1.4") << QByteArray("SET IFEQ");
    QTest::newRow("valkey 8.0") << QByteArray(valkey + "8.0.1") << QByteArray();
    QTest::newRow("redis 8.4") << QByteArray("redis_version:8.4.0") << QByteArray("DELEX");
    QTest::newRow("redis 7.0") << QByteArray("redis_version:7.0.15") << QByteArray();
}

// As where EVAL was renamed away; tst_withoutlua has a Valkey 9.1 without its Lua engine.
void TestServerVersions::withoutScripts()
{
    QFETCH(QByteArray, info);
    QFETCH(QByteArray, releases);
    GuiseServer server(m_server, {info, {"EVAL", "EVALSHA"}});
    Actor actor(server.url());
    QVERIFY(actor.open());
    const PrimitivePtr lock = declaredPrimitive("set-nx-px", "lock:a");
    const Result<Plan> plan = actor.plan(lock, "lock.release", {{"owner", "w1"}});
    QCOMPARE(plan.has_value(), !releases.isEmpty());
    const auto other =
        actor.plan(declaredPrimitive("reliable-list", "jobs"), "queue.discard", {{"index", "1"}});
    QVERIFY(!other);
    QCOMPARE(other.error().code, ErrorCode::NotPossible);
    QVERIFY(other.error().detail.contains(u"EVAL is not available"_s));
    if (!plan) {
        QCOMPARE(plan.error().code, ErrorCode::NotPossible);
        QCOMPARE(m_server.line("GET lock:a").text, QByteArray("w1"));
        QCOMPARE(server.unknown(), QByteArrayList());
        return;
    }
    QVERIFY(plan->commands.front().startsWith(QString::fromLatin1(releases.split(' ').front())));
    QCOMPARE(plan->undo.kind, UndoWay::Kind::None);
    QVERIFY(!plan->undo.why.isEmpty());

    // Taken by another one meanwhile: it is left alone.
    m_server.line("SET lock:a w2 PX 600000");
    const Receipt late = actor.run(*plan);
    QVERIFY2(late.outcome == Outcome::Conflict, qPrintable(late.text));
    QCOMPARE(m_server.line("GET lock:a").text, QByteArray("w2"));

    m_server.line("SET lock:a w1 PX 600000");
    const Receipt released = actor.act(lock, "lock.release", {{"owner", "w1"}});
    QVERIFY2(released.outcome == Outcome::Succeeded, qPrintable(released.text));
    QTRY_VERIFY(m_server.line("GET lock:a").isNil());
    QVERIFY(!released.undoable);
    QCOMPARE(actor.entry(released.id)->outcome, Outcome::Succeeded);
    QCOMPARE(server.count(releases), 2);
    QCOMPARE(server.unknown(), QByteArrayList());
}

void TestServerVersions::managedServices_data()
{
    QTest::addColumn<QByteArray>("asked");
    for (const ServiceRow& row : serviceRows())
        QTest::newRow(row.name.constData()) << row.asked;
}

// Side by side as well: INFO and CONFIG are asked for every five seconds.
void TestServerVersions::watchAllServices()
{
    if (!m_services.empty())
        return;
    const std::vector<ServiceRow> rows = serviceRows();
    for (const ServiceRow& row : rows)
        m_services[row.name] = std::make_unique<Watched>(m_lasting, row.guise);
    for (const auto& [name, watched] : m_services)
        QTRY_VERIFY2_WITH_TIMEOUT(watched->isThere(), name.constData(), 60'000);
    LiveSession& first = m_services.begin()->second->live;
    QVERIFY(first.seconds(6));
    for (const ServiceRow& row : rows)
        m_services[row.name]->before = m_services[row.name]->server.count(row.asked);
    QVERIFY(first.seconds(6));
    for (const ServiceRow& row : rows)
        m_services[row.name]->after = m_services[row.name]->server.count(row.asked);
}

void TestServerVersions::managedServices()
{
    watchAllServices();
    const Watched& watched = *m_services.at(QTest::currentDataTag());
    QVERIFY(watched.before > 0);
    QCOMPARE(watched.after, watched.before);
    QCOMPARE(watched.server.count("CLIENT NO-TOUCH"), 0); // not on an unknown version
    QCOMPARE(watched.live.owner("lock:a"), QByteArray("w1"));
}

LK_TEST(TestServerVersions);
#include "tst_serverversions.moc"
