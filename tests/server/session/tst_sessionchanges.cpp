// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionseries.h"
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"

#include "backend/text/errortext.h"

#include <cmath>

using namespace lk;
using namespace lk::test;
using Phase = ConnectionStatus::Phase;
using Mode = FeedStatus::Mode;

/// How a session learns what others do: by the feed, by notifications, by looking; and what it
/// does when the server goes away.
class TestSessionChanges : public QObject
{
    Q_OBJECT

private:
    void fill(RedisServer& server)
    {
        server.lines(
            {"SET lock:a first PX 600000", "LPUSH jobs a b c", "RPOPLPUSH jobs jobs:processing"});
    }
    /// So many that a change seen soon was told of, and not found by looking at each in its turn.
    void fillMore(RedisServer& server, int locks = 300)
    {
        std::vector<Command> many;
        for (int i = 0; i < locks; ++i)
            many.push_back({"SET", "lock:more:" + QByteArray::number(i), "x", "PX", "600000"});
        server.runAll(many);
    }
    ServerUrl observer(RedisServer& server, const QByteArray& rules)
    {
        server.line("ACL SETUSER watcher reset on >pw +@all ~* &* " + rules);
        ServerUrl url = server.url();
        url.user = QStringLiteral("watcher");
        url.password = QStringLiteral("pw");
        return url;
    }
    static QByteArray clientId(RedisServer& server, const QByteArray& name)
    {
        for (const QByteArray& line : server.line("CLIENT LIST").text.split('\n')) {
            if (line.contains(" name=" + name + ' '))
                return line.mid(3, line.indexOf(' ') - 3);
        }
        return {};
    }

private slots:
    void changesShowOffScreen_data();
    void changesShowOffScreen();
    void readsInTurnWhereNothingTells();
    void findsWhatChangedBeforeTheFeed();
    void watchesOnlyWhatIsClaimed();
    void leasesThatEndShowByThemselves();
    void stuckItemsShowByThemselves();
    void losesAndFindsTheServer();
    void readsAnewAfterAnOutage();
    void keepsTheFeedWhenOnlyTheControlConnectionIsCut();
    void waitsForAServerThatIsNotThereYet();
    void asksForAPasswordOnce();
};

void TestSessionChanges::changesShowOffScreen_data()
{
    QTest::addColumn<QByteArray>("rules");
    QTest::addColumn<QByteArray>("events");
    QTest::addColumn<int>("mode");
    QTest::newRow("tracking") << QByteArray() << QByteArray() << int(Mode::Tracking);
    QTest::newRow("notifications")
        << QByteArray("-client|tracking") << QByteArray("KEA") << int(Mode::Notifications);
    QTest::newRow("neither") << QByteArray("-client|tracking") << QByteArray()
                             << int(Mode::PollingOnly);
    QTest::newRow("no channels") << QByteArray("resetchannels") << QByteArray("KEA")
                                 << int(Mode::PollingOnly);
}

void TestSessionChanges::changesShowOffScreen()
{
    QFETCH(QByteArray, rules);
    QFETCH(QByteArray, events);
    QFETCH(int, mode);
    RedisServer server;
    QVERIFY(server.start());
    server.run({"CONFIG", "SET", "notify-keyspace-events", events});
    fill(server);
    if (mode != int(Mode::PollingOnly))
        fillMore(server);
    LiveSession live(observer(server, rules));
    QTRY_COMPARE(live.owner("lock:a"), QByteArray("first"));
    QTRY_COMPARE_WITH_TIMEOUT(int(live.feed().mode), mode, 10'000);
    QVERIFY(live.feed().reason.isEmpty() == (mode != int(Mode::PollingOnly)));
    for (const QByteArray owner : {"second", "third"}) { // and not only once
        server.run({"SET", "lock:a", owner, "PX", "600000"});
        server.line("LPUSH jobs more");
        QTRY_COMPARE_WITH_TIMEOUT(live.owner("lock:a"), owner, 10'000);
        const qint64 ready = server.line("LLEN jobs").integer;
        QTRY_COMPARE_WITH_TIMEOUT(live.ready("jobs"), std::optional<qint64>(ready), 10'000);
    }
    QCOMPARE(live.count("lock:a"), 1);
    QCOMPARE(live.count("jobs"), 1);
}

// Many primitives without notifications: each is read in turn.
void TestSessionChanges::readsInTurnWhereNothingTells()
{
    RedisServer server;
    QVERIFY(server.start());
    std::vector<Command> many;
    for (int i = 0; i < 120; ++i)
        many.push_back({"SET", "lock:" + QByteArray::number(i), "first", "PX", "600000"});
    server.runAll(many);
    LiveSession live(observer(server, "-client|tracking"));
    QTRY_COMPARE(live.size(), 120);
    QTRY_COMPARE(int(live.feed().mode), int(Mode::PollingOnly));
    for (Command& command : many)
        command = {"SET", command.args()[1], "second", "PX", "600000"};
    server.runAll(many);
    QTRY_VERIFY_WITH_TIMEOUT(live.owner("lock:7") == "second" &&
                                 live.owner("lock:119") == "second" &&
                                 live.owner("lock:60") == "second",
                             40'000);
}

// The feed starts late: it does not report keys that were emptied just before.
void TestSessionChanges::findsWhatChangedBeforeTheFeed()
{
    RedisServer server;
    QVERIFY(server.start());
    fillMore(server, 120);
    LiveSession live(observer(server, "-client|tracking"));
    QTRY_COMPARE(live.size(), 120);
    QTRY_COMPARE(int(live.feed().mode), int(Mode::PollingOnly));
    server.lines({"MULTI", "FLUSHALL", "ACL SETUSER watcher +client|tracking",
                  "CLIENT KILL ID " + clientId(server, "lockkeeper-feed"), "EXEC"});
    QTRY_COMPARE_WITH_TIMEOUT(int(live.feed().mode), int(Mode::Tracking), 10'000);
    const auto isGone = [&](int i) {
        return !live.state("lock:more:" + QByteArray::number(i))->present;
    };
    const auto gone = [&] {
        int n = 0;
        for (int i = 0; i < 120; ++i)
            n += isGone(i) ? 1 : 0;
        return n;
    };
    // With a feed alone each has its turn every minute.
    QTRY_COMPARE_WITH_TIMEOUT(gone(), 120, 40'000);
}

void TestSessionChanges::watchesOnlyWhatIsClaimed()
{
    RedisServer server;
    QVERIFY(server.start());
    fill(server);
    server.lines({"SET page:1 text", "SADD users a"});
    LiveSession live(server.url());
    QTRY_COMPARE(live.size(), 2);
    QTRY_COMPARE(int(live.feed().mode), int(Mode::Tracking));
    // Which prefixes they are, the server itself says.
    QTRY_VERIFY(server.line("CLIENT LIST").text.contains("name=lockkeeper "));
    QTRY_VERIFY(server.line("INFO clients").text.contains("tracking_clients:1"));
    QVERIFY(live.feed().prefixes > 0);
    QTRY_COMPARE(live.feed().bytesPerSecond, 0);
    const int from = live.deltas();
    for (int i = 0; i < 2000; ++i)
        server.run({"SET", "page:" + QByteArray::number(i), QByteArray(1000, 'x')});
    QVERIFY(live.seconds(2));
    QCOMPARE(live.feed().bytesPerSecond, 0);
    QVERIFY(live.deltas() <= from + 20); // the slow turn of the few that there are
}

void TestSessionChanges::leasesThatEndShowByThemselves()
{
    RedisServer server;
    QVERIFY(server.start());
    server.lines({"SET lock:a ef1f63c PX 1500", "SETEX code:c17bd6 1 payload"});
    LiveSession live(server.url());
    QTRY_COMPARE(live.size(), 2);
    QTRY_VERIFY_WITH_TIMEOUT(!live.state("lock:a")->present, 4000);
    QTRY_VERIFY_WITH_TIMEOUT(!live.state("code:c17bd6")->present, 4000);
    QCOMPARE(live.state("code:c17bd6")->as<TokenState>()->end, TokenState::End::Expired);
    const std::vector<Hold> holds = live->series().holds().holds(live.handle("lock:a"));
    QCOMPARE(holds.size(), 1U);
    QVERIFY(!holds[0].open);
    QVERIFY(holds[0].toMs <= *holds[0].leaseEndMs);
}

void TestSessionChanges::stuckItemsShowByThemselves()
{
    RedisServer server;
    QVERIFY(server.start());
    fill(server);
    const Result<Config> config =
        parseConfig("[[queue]]\nkey = \"jobs\"\n"
                    "layout = \"reliable-list\"\nstuck_after = \"1500ms\"\n",
                    QStringLiteral("t"));
    QVERIFY(config);
    LiveSession live(server.url(), *config);
    QTRY_VERIFY(live.state("jobs") && live.state("jobs")->as<QueueState>()->processing == 1);
    QTRY_VERIFY_WITH_TIMEOUT(live.state("jobs")->as<QueueState>()->stuck == 1, 4000);
    QVERIFY(live.state("jobs")->health == Health::Error);
    server.line("RPOP jobs:processing");
    QTRY_VERIFY_WITH_TIMEOUT(live.state("jobs")->as<QueueState>()->stuck == 0, 4000);
}

void TestSessionChanges::losesAndFindsTheServer()
{
    RedisServer server;
    QVERIFY(server.start());
    fill(server);
    LiveSession live(server.url());
    QTRY_COMPARE(live.size(), 2);
    const Handle jobs = live.handle("jobs");
    live->polling().setAttention({jobs}, noHandle);
    QTRY_VERIFY(live->series().store().find(jobs, 0));
    server.stop();
    QTRY_COMPARE(live->status().phase, Phase::Lost);
    QVERIFY(!errorText(live->status().error).isEmpty());
    QVERIFY(live->status().nextTryInMs > 0);
    QCOMPARE(live.ready("jobs"), std::optional<qint64>(2)); // the last that was known stays
    QVERIFY(server.start());
    fill(server);
    server.line("LPUSH jobs d");
    live->retryNow();
    QTRY_VERIFY(live.isReady());
    QCOMPARE(live->status().generation, 2U);
    QTRY_COMPARE(live.ready("jobs"), std::optional<qint64>(3));
    QCOMPARE(live.handle("jobs"), jobs);
    QCOMPARE(live.count("jobs"), 1);
    QCOMPARE(live.size(), 2);
    const auto points =
        live->series().store().find(jobs, 0)->points(0, live->serverNowMs() + 60'000, 1000);
    const auto gap = std::find_if(points.begin(), points.end(),
                                  [](const SeriesPoint& p) { return std::isnan(p.value); });
    QVERIFY(gap != points.end() && gap + 1 != points.end());
    QCOMPARE(points.back().value, 3.0);
}

void TestSessionChanges::readsAnewAfterAnOutage()
{
    RedisServer server;
    QVERIFY(server.start());
    fill(server);
    LiveSession live(server.url());
    QTRY_COMPARE(live.size(), 2);
    server.stop();
    QTRY_COMPARE(live->status().phase, Phase::Lost);
    QVERIFY(server.start()); // empty, and with something new
    server.lines({"SET lock:a second PX 600000", "SET lock:b third PX 600000"});
    live->retryNow();
    QTRY_COMPARE(live.owner("lock:a"), QByteArray("second"));
    QTRY_COMPARE(live.owner("lock:b"), QByteArray("third"));
    QTRY_VERIFY(!live.state("jobs")->present);
    QTRY_COMPARE_WITH_TIMEOUT(int(live.feed().mode), int(Mode::Tracking), 10'000);
    server.line("SET lock:b fourth PX 600000");
    QTRY_COMPARE_WITH_TIMEOUT(live.owner("lock:b"), QByteArray("fourth"), 8000);
    for (const char* name : {"lock:a", "lock:b", "jobs"})
        QCOMPARE(live.count(name), 1);
}

void TestSessionChanges::keepsTheFeedWhenOnlyTheControlConnectionIsCut()
{
    RedisServer server;
    QVERIFY(server.start());
    fill(server);
    fillMore(server);
    LiveSession live(server.url());
    QTRY_COMPARE(live.size(), 302);
    QTRY_COMPARE(int(live.feed().mode), int(Mode::Tracking));
    server.line("CLIENT KILL ID " + clientId(server, "lockkeeper"));
    QTRY_COMPARE(live->status().generation, 2U);
    QVERIFY(live.seconds(3)); // it has read all of them again
    QCOMPARE(int(live.feed().mode), int(Mode::Tracking));
    QVERIFY(server.line("INFO clients").text.contains("tracking_clients:1"));
    server.line("SET lock:a second PX 600000");
    QTRY_COMPARE_WITH_TIMEOUT(live.owner("lock:a"), QByteArray("second"), 2000);
}

void TestSessionChanges::waitsForAServerThatIsNotThereYet()
{
    RedisServer server;
    LiveSession live(server.url());
    QTRY_COMPARE(live->status().phase, Phase::Lost);
    QCOMPARE(live->status().error.code, ErrorCode::Refused);
    QVERIFY(live->status().nextTryInMs > 0);
    QVERIFY(server.start());
    fill(server);
    live->retryNow();
    QTRY_COMPARE(live.size(), 2);
    QCOMPARE(live->status().generation, 1U);
    QTRY_COMPARE_WITH_TIMEOUT(int(live.feed().mode), int(Mode::Tracking), 10'000);
}

void TestSessionChanges::asksForAPasswordOnce()
{
    RedisServer server({QStringLiteral("--requirepass"), QStringLiteral("pw")});
    QVERIFY(server.startWithoutWaiting());
    LiveSession live(server.url());
    QTRY_COMPARE(live->status().phase, Phase::Lost);
    QTRY_COMPARE(live->status().error.code, ErrorCode::NoAuth);
    QCOMPARE(live->status().nextTryInMs, 0); // a person has to say it
    live->setPassword({}, QStringLiteral("pw"));
    QTRY_VERIFY(live.isReady());
    QTRY_VERIFY(live.scanned());
    QTRY_VERIFY(live->report().feed.mode == Mode::Starting); // nothing claimed, nothing to follow
}

LK_TEST(TestSessionChanges);
#include "tst_sessionchanges.moc"
