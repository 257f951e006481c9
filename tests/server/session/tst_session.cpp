// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/protocol/command.h"
#include "backend/session/monitor/monitor.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionseries.h"
#include "backend/session/sessionstates.h"
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"

#include <cmath>

using namespace lk;
using namespace lk::test;
using Phase = ConnectionStatus::Phase;

namespace {

constexpr qint64 mebibyte = 1024 * 1024;

} // namespace

/// A whole session over its threads against a real server.
class TestSession : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;
    void fill()
    {
        m_server.lines({"SET lock:a ef1f63c PX 600000", "LPUSH jobs a b c",
                        "RPOPLPUSH jobs jobs:processing", "SETEX code:c17bd6 600 payload",
                        "INCR gate:vm", "PEXPIRE gate:vm 600000"});
    }

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init()
    {
        m_server.flush();
        m_server.line("CONFIG SET notify-keyspace-events \"\"");
    }

    void discovers();
    void deltasAreOfTheSession();
    void samplesGrowAndAreInOrder();
    void newPrimitivesAppear();
    void goneOnesStayForAWhile();
    void readsOnly();
    void idleIsCheap();
    void pauseStopsCommands();
    void aWindowThatDoesNotTakeGetsOne();
    void agesSurviveARestart();
    void hugeItemsAreLeftAlone();
    void theSummarySumsUp();
};

void TestSession::discovers()
{
    fill();
    LiveSession live(m_server.url());
    QTRY_COMPARE(live.size(), 4);
    QVERIFY(live.isReady());
    QCOMPARE(live->status().generation, 1U);
    QCOMPARE(live.owner("lock:a"), QByteArray("ef1f63c"));
    QTRY_COMPARE(live.ready("jobs"), std::optional<qint64>(2));
    QTRY_VERIFY(live.scanned());
    const ScanCounts scan = live->report().scan;
    QCOMPARE(scan.scanned, m_server.line("DBSIZE").integer);
    QCOMPARE(scan.matched + scan.notRecognized + scan.skipped, scan.scanned);
    QTRY_COMPARE(live->info().text("redis_mode"), QStringLiteral("standalone"));
    const qint64 serverMs = m_server.line("TIME").items[0].text.toLongLong() * 1000;
    QVERIFY(std::abs(live->serverNowMs() - serverMs) < 2500);
}

void TestSession::deltasAreOfTheSession()
{
    fill();
    LiveSession live(m_server.url());
    std::vector<quint64> generations;
    connect(&live->states(), &SessionStates::changed, this, [&](const DeltaPtr& d) {
        generations.push_back(d->generation);
        for (const StateChange& c : d->changes) // they are in place already
            QCOMPARE(live->states().at(c.handle), c.state);
    });
    QTRY_COMPARE(live.size(), 4);
    live->polling().setAttention({live.handle("lock:a")}, live.handle("jobs"));
    QTRY_VERIFY(generations.size() > 5); // what is on screen is read on every tick
    QVERIFY(std::all_of(generations.begin(), generations.end(), [](quint64 g) { return g == 1; }));
    QCOMPARE(live->states().at(noHandle), nullptr);
    disconnect(&live->states(), &SessionStates::changed, this, nullptr);
}

void TestSession::samplesGrowAndAreInOrder()
{
    fill();
    LiveSession live(m_server.url());
    QTRY_COMPARE(live.size(), 4);
    const Handle jobs = live.handle("jobs");
    live->polling().setAttention({jobs}, noHandle);
    const auto points = [&] {
        const Series* series = live->series().store().find(jobs, 0);
        return series ? series->points(0, live->serverNowMs() + 60'000, 1000)
                      : std::vector<SeriesPoint>();
    };
    QTRY_VERIFY(points().size() >= 4);
    m_server.line("LPUSH jobs d");
    QTRY_VERIFY(points().back().value == 3.0);
    const auto all = points();
    for (size_t i = 1; i < all.size(); ++i)
        QVERIFY(all[i].tMs > all[i - 1].tMs);
    QCOMPARE(all.front().value, 2.0);
}

void TestSession::newPrimitivesAppear()
{
    fill();
    LiveSession live(m_server.url());
    QTRY_COMPARE(live.size(), 4);
    QTRY_COMPARE(int(live.feed().mode), int(FeedStatus::Mode::Tracking));
    m_server.line("SET lock:new 0a1b2c3d PX 600000");
    QTRY_COMPARE_WITH_TIMEOUT(live.owner("lock:new"), QByteArray("0a1b2c3d"), 25'000);
    QCOMPARE(live.count("lock:new"), 1);
    m_server.line("LPUSH jobs:dead x"); // a further key of a known one
    QTRY_VERIFY_WITH_TIMEOUT(live.state("jobs")->as<QueueState>()->dead.value_or(0) == 1, 25'000);
    QCOMPARE(live.count("jobs"), 1);
}

void TestSession::goneOnesStayForAWhile()
{
    fill();
    LiveSession live(m_server.url());
    QTRY_COMPARE(live.size(), 4);
    QTRY_COMPARE(int(live.feed().mode), int(FeedStatus::Mode::Tracking));
    m_server.lines({"DEL lock:a", "DEL code:c17bd6"});
    QTRY_VERIFY(!live.state("lock:a")->present);
    QTRY_VERIFY(!live.state("code:c17bd6")->present);
    QCOMPARE(live.state("code:c17bd6")->as<TokenState>()->end, TokenState::End::Gone);
    QCOMPARE(live.size(), 4);
    m_server.line("SET lock:a other PX 600000");
    QTRY_COMPARE(live.owner("lock:a"), QByteArray("other"));
    QVERIFY(live.state("lock:a")->present);
    m_server.flush(); // sends no names
    QTRY_VERIFY(!live.state("lock:a")->present && !live.state("jobs")->present &&
                !live.state("gate:vm")->present);
}

void TestSession::readsOnly()
{
    fill();
    m_server.lines({"HSET rl rate 3 interval 60000 type 0", "SET {rl}:value 3",
                    "ZADD z:rl:resource:1 1636330091 104768", "ZADD api:rate 1 1",
                    "SET lock.old 1636330091"});
    const QByteArray before = summaryOf(m_server);
    m_server.line("CONFIG RESETSTAT");
    {
        LiveSession live(m_server.url());
        QTRY_VERIFY(live.size() >= 6);
        live->polling().setAttention({live.handle("lock:a"), live.handle("rl")},
                                     live.handle("jobs"));
        QTRY_COMPARE(int(live.feed().mode), int(FeedStatus::Mode::Tracking));
        QVERIFY(live.seconds(2));
        live->polling().rescan();
        QVERIFY(live.seconds(1));
    }
    const auto calls = commandCalls(m_server);
    QVERIFY(calls.value("scan") >= 2);
    for (auto it = calls.cbegin(); it != calls.cend(); ++it) {
        const QByteArrayList words = it.key().split('|');
        const Command command(std::vector<QByteArray>(words.begin(), words.end()));
        const bool login = words[0] == "hello" || words[0] == "auth" || words[0] == "select" ||
                           it.key() == "client|no-touch";
        QVERIFY2(isReadOnly(command) || login, it.key().constData());
    }
    for (const char* never : {"keys", "monitor", "hgetall", "smembers", "eval", "evalsha"})
        QVERIFY2(!calls.contains(never), never);
    QCOMPARE(summaryOf(m_server), before);
}

void TestSession::idleIsCheap()
{
    fill();
    std::vector<Command> many;
    for (int i = 0; i < 300; ++i)
        many.push_back({"SET", "lock:" + QByteArray::number(i), "ef1f63c", "PX", "600000"});
    m_server.runAll(many);
    LiveSession live(m_server.url());
    QTRY_COMPARE(live.size(), 304);
    QTRY_VERIFY(live.scanned());
    QTRY_COMPARE(int(live.feed().mode), int(FeedStatus::Mode::Tracking));
    QVERIFY(live.seconds(2));
    m_server.line("CONFIG RESETSTAT");
    QVERIFY(live.seconds(5));
    qint64 sum = 0;
    const auto calls = commandCalls(m_server);
    for (const qint64 n : calls)
        sum += n;
    QVERIFY2(sum < 5 * 100, QByteArray::number(sum).constData());
    QVERIFY(live->report().cost.commandsPerSecond < 100);
    QVERIFY(live->report().cost.commandsPerSecond > 0); // it says what it costs
}

void TestSession::pauseStopsCommands()
{
    fill();
    for (int i = 0; i < 3000; ++i) // a scan is under way
        m_server.run({"SET", "page:" + QByteArray::number(i), "text"});
    LiveSession live(m_server.url());
    QTRY_VERIFY_WITH_TIMEOUT(live.size() > 0, 30'000);
    live->polling().setAttention({live.handle("lock:a")}, noHandle);
    QVERIFY(live.seconds(1));
    live->polling().setPaused(true);
    QVERIFY(live->polling().isPaused());
    QVERIFY(live.seconds(1)); // what was under way has come back
    m_server.line("CONFIG RESETSTAT");
    QVERIFY(live.seconds(3));
    const auto calls = commandCalls(m_server);
    for (const QByteArray& command : calls.keys())
        QVERIFY2(command == "info" || command == "ping", command.constData());
    QVERIFY(calls.value("info") <= 1); // the test's own
    m_server.line("SET lock:a other PX 600000");
    live->polling().setPaused(false);
    QTRY_COMPARE_WITH_TIMEOUT(live.owner("lock:a"), QByteArray("other"), 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(live.scanned(), 60'000);
    QCOMPARE(live->report().scan.scanned, m_server.line("DBSIZE").integer);
}

void TestSession::aWindowThatDoesNotTakeGetsOne()
{
    fill();
    SystemClock clock;
    Monitor monitor(m_server.url(), {}, clock, {});
    std::vector<DeltaPtr> deltas;
    connect(&monitor, &Monitor::deltaReady, this, [&](const DeltaPtr& d) { deltas.push_back(d); });
    int reports = 0;
    connect(&monitor, &Monitor::reported, this, [&] { ++reports; });
    monitor.start();
    QTRY_COMPARE(deltas.size(), 1U);
    const int from = reports;
    for (int i = 0; i < 200; ++i)
        m_server.run({"SET", "lock:a", "owner" + QByteArray::number(i), "PX", "600000"});
    QTRY_VERIFY(reports >= from + 2);
    QCOMPARE(deltas.size(), 1U); // however much happens
    monitor.consumed();
    QCOMPARE(deltas.size(), 2U); // and then all of it at once, each primitive once
    std::vector<Handle> handles;
    for (const StateChange& c : deltas[1]->changes)
        handles.push_back(c.handle);
    std::sort(handles.begin(), handles.end());
    QVERIFY(std::adjacent_find(handles.begin(), handles.end()) == handles.end());
    monitor.stop();
}

void TestSession::agesSurviveARestart()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("seen.db"));
    m_server.lines({"LPUSH jobs a b", "RPOPLPUSH jobs jobs:processing"});
    qint64 firstSeenMs = 0;
    {
        LiveSession live(m_server.url(), {}, path);
        QTRY_VERIFY(live.state("jobs") && !live.state("jobs")->as<QueueState>()->items.empty());
        firstSeenMs = live.state("jobs")->as<QueueState>()->items[0].firstSeenMs.value_or(0);
        QVERIFY(firstSeenMs > 0);
    } // at once: it is not lost for having been seen only just now
    LiveSession live(m_server.url(), {}, path);
    QTRY_VERIFY(live.state("jobs") && !live.state("jobs")->as<QueueState>()->items.empty());
    QTRY_COMPARE(live.state("jobs")->as<QueueState>()->items[0].firstSeenMs,
                 std::optional<qint64>(firstSeenMs));
}

void TestSession::hugeItemsAreLeftAlone()
{
    fill();
    m_server.run({"LPUSH", "heavy:processing", QByteArray(40 * mebibyte, 'x')});
    m_server.lines({"LPUSH heavy a b"});
    LiveSession live(m_server.url());
    QTRY_VERIFY(live.state("heavy") && live.state("lock:a") && live.state("jobs"));
    live->polling().setAttention({live.handle("heavy"), live.handle("lock:a")},
                                 live.handle("heavy"));
    QVERIFY(live.seconds(3));
    QTRY_VERIFY(live.isReady());
    const quint64 generation = live->status().generation;
    QVERIFY2(generation <= 4, "it goes on reading what is too large");
    m_server.line("SET lock:a other PX 600000");
    QTRY_COMPARE(live.owner("lock:a"), QByteArray("other"));
    QVERIFY(live.seconds(2));
    QCOMPARE(live->status().generation, generation);
    QCOMPARE(live.ready("jobs"), std::optional<qint64>(2));
    const StatePtr heavy = live.state("heavy");
    QVERIFY(heavy->problem || heavy->as<QueueState>()->ready == std::optional<qint64>(2));
    m_server.flush();
}

void TestSession::theSummarySumsUp()
{
    fill();
    LiveSession live(m_server.url());
    QTRY_COMPARE(live.size(), 4);
    QTRY_VERIFY(live->board().summary() && live->board().summary()->of(Kind::Token).total == 1);
    QCOMPARE(live->board().summary()->of(Kind::Lock).total, 1);
    // Not from before the first scan was done: then it was none.
    const auto liveTokens = [&] {
        return live->series().store().find(SessionSeries::tokenTotals, SessionSeries::TokensLive);
    };
    QTRY_VERIFY(liveTokens() && !liveTokens()->isEmpty());
    QCOMPARE(liveTokens()->points(0, live->serverNowMs() + 1000, 100).front().value, 1.0);
    QTRY_COMPARE(int(live.feed().mode), int(FeedStatus::Mode::Tracking));
    m_server.lines({"DEL code:c17bd6", "SET lock:orphan 0a1b2c3d"});
    live->polling().rescan();
    QTRY_COMPARE(live->board().summary()->tokenEnds[size_t(TokenState::End::Gone)], 1);
    QCOMPARE(live->board().summary()->tokenEnds[size_t(TokenState::End::Consumed)], 0);
    QTRY_COMPARE(live->board().summary()->noTtlLocks, 1);
    QVERIFY(!live->board().summary()->attention.empty());
    QCOMPARE(live->board().summary()->attention[0].state->primitive->id.name,
             QByteArray("lock:orphan"));
    QVERIFY(!live->board().summary()->attention[0].reason.isEmpty());
}

LK_TEST(TestSession);
#include "tst_session.moc"
