// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/livesession.h"

using namespace lk;
using namespace lk::test;

/// Which numbers a session keeps over time: those that were read, of the one they were read of.
class TestRecording : public QObject
{
    Q_OBJECT

private:
    using Points = std::vector<SeriesPoint>;

    static Points points(LiveSession& live, Handle handle, int metric)
    {
        const Series* series = live->series().find(handle, metric);
        return series ? series->points(0, live->serverNowMs() + 60'000, 5000) : Points();
    }
    /// A user whom nothing is told: without tracking, and notifications are off.
    static ServerUrl untold(RedisServer& server)
    {
        server.line("ACL SETUSER watcher reset on >pw +@all ~* &* -client|tracking");
        ServerUrl url = server.url();
        url.user = QStringLiteral("watcher");
        url.password = QStringLiteral("pw");
        return url;
    }

private slots:
    void aFreeLockHasNoLease();
    void whatIsSeldomReadHasGaps();
    void aPauseIsAGap();
    void totalsRestInAPause();
    void anotherQueueHasNotAskedWhoWaits();
    void aNewPrimitiveHasNoStrangersPast();
};

void TestRecording::aFreeLockHasNoLease()
{
    RedisServer server;
    QVERIFY(server.start());
    server.line("SET lock:a first PX 600000");
    LiveSession live(server.url());
    QTRY_COMPARE(live.owner("lock:a"), QByteArray("first"));
    const Handle lock = live.handle("lock:a");
    live->setAttention({}, lock);
    QTRY_VERIFY(points(live, lock, 0).size() > 3);
    server.line("DEL lock:a");
    QTRY_VERIFY(isAbsent(points(live, lock, 0).back().value));
    server.line("SET lock:a second PX 600000");
    QTRY_VERIFY(points(live, lock, 0).back().value > 0);
    const Points all = points(live, lock, 0);
    QCOMPARE(std::count_if(all.begin(), all.end(),
                           [](const SeriesPoint& p) { return std::isnan(p.value); }),
             1);
    QCOMPARE(live->holds().holds(lock).size(), 2U);
}

void TestRecording::whatIsSeldomReadHasGaps()
{
    RedisServer server;
    QVERIFY(server.start());
    const ServerUrl url = untold(server);
    std::vector<Command> many;
    for (int i = 0; i < 100; ++i)
        many.push_back({"SET", "lock:" + QByteArray::number(i), "first", "PX", "600000"});
    server.runAll(many);
    LiveSession live(url); // each has its turn every five seconds
    QTRY_COMPARE(live.size(), 100);
    const auto known = [&](Handle handle) {
        const Points all = points(live, handle, 0);
        return std::count_if(all.begin(), all.end(),
                             [](const SeriesPoint& p) { return !std::isnan(p.value); });
    };
    const Handle last = live.handle("lock:99");
    QTRY_VERIFY_WITH_TIMEOUT(known(last) >= 6, 60'000);
    const Points all = points(live, last, 0);
    for (size_t i = 1; i < all.size(); ++i) {
        const bool both = !std::isnan(all[i - 1].value) && !std::isnan(all[i].value);
        QVERIFY2(!both || all[i].tMs - all[i - 1].tMs <= live->staleAfterMs(),
                 "a line through a time in which nobody looked");
    }
    QVERIFY(all.size() > 4);
}

void TestRecording::aPauseIsAGap()
{
    RedisServer server;
    QVERIFY(server.start());
    server.lines({"LPUSH jobs a b", "RPOPLPUSH jobs jobs:processing"});
    LiveSession live(server.url());
    QTRY_COMPARE(live.ready("jobs"), std::optional<qint64>(1));
    const Handle jobs = live.handle("jobs");
    live->setAttention({}, jobs);
    QTRY_VERIFY(points(live, jobs, 0).size() > 3);
    live->setPaused(true);
    QVERIFY(std::isnan(points(live, jobs, 0).back().value));
    QVERIFY(live.seconds(2));
    QVERIFY(std::isnan(points(live, jobs, 0).back().value)); // nor did what was still under way end it
    live->setPaused(false);
    QTRY_VERIFY(!std::isnan(points(live, jobs, 0).back().value));
}

void TestRecording::totalsRestInAPause()
{
    RedisServer server;
    QVERIFY(server.start());
    server.line("SETEX code:c17bd6 600 payload");
    LiveSession live(server.url());
    const auto size = [&] { return points(live, Session::tokenTotals, Session::TokensLive).size(); };
    QTRY_VERIFY_WITH_TIMEOUT(size() >= 3, 15'000); // every second, although nothing changes
    live->setPaused(true);
    const size_t before = size();
    QVERIFY(live.seconds(3));
    QCOMPARE(size(), before);
    QVERIFY(std::isnan(points(live, Session::tokenTotals, Session::TokensLive).back().value));
}

void TestRecording::anotherQueueHasNotAskedWhoWaits()
{
    RedisServer server;
    QVERIFY(server.start());
    server.lines({"LPUSH jobs a b", "RPOPLPUSH jobs jobs:processing", "LPUSH mails a b",
                  "RPOPLPUSH mails mails:processing"});
    LiveSession live(server.url());
    QTRY_COMPARE(live.size(), 2);
    live->setAttention({}, live.handle("jobs"));
    QTRY_VERIFY(live->waitingWorkers());
    live->setAttention({}, live.handle("mails"));
    QVERIFY(!live->waitingWorkers());
    QTRY_VERIFY(live->waitingWorkers());
}

// Handles are used again after a few thousand others: whoever gets one has no samples, no holds and
// nobody's attention.
void TestRecording::aNewPrimitiveHasNoStrangersPast()
{
    RedisServer server;
    QVERIFY(server.start());
    constexpr int count = 7000;
    std::vector<Command> many;
    for (int i = 0; i < count; ++i)
        many.push_back({"SET", "lock:" + QByteArray::number(i), "first", "PX", "600000"});
    server.runAll(many);
    Monitor::Limits limits;
    limits.otherCommandsPerSecond = 100'000;
    LiveSession live(server.url(), {}, {}, {}, limits);
    QTRY_COMPARE_WITH_TIMEOUT(live.size(), count, 30'000);
    // What is on screen is read first, found gone first and forgotten first.
    std::vector<Handle> seen;
    for (Handle handle = 0; handle < 150; ++handle)
        seen.push_back(handle);
    live->setAttention(seen, noHandle);
    for (const Handle handle : seen)
        live->setPinned(handle, true);
    QTRY_VERIFY(std::all_of(seen.begin(), seen.end(), [&](Handle handle) {
        return points(live, handle, 0).size() > 2 && !live->holds().holds(handle).empty();
    }));
    server.line("FLUSHALL");
    QTRY_VERIFY_WITH_TIMEOUT(live.size() < 2500, 30'000); // 2,000 of the gone ones stay
    const qint64 bornMs = server.line("TIME").items[0].text.toLongLong() * 1000;
    std::vector<Command> newcomers;
    for (int i = 0; i < 100; ++i)
        newcomers.push_back({"SET", "lock:new:" + QByteArray::number(i), "second", "PX", "600000"});
    server.runAll(newcomers);
    live->rescan();
    QTRY_VERIFY_WITH_TIMEOUT(live.count("lock:new:99") == 1 && live.count("lock:new:0") == 1, 30'000);
    int reused = 0;
    for (const Command& newcomer : newcomers) {
        const Handle handle = live.handle(newcomer.args()[1]);
        if (handle == noHandle)
            continue;
        reused += handle < 150 ? 1 : 0;
        QVERIFY(!live->isPinned(handle));
        live->setAttention({}, handle);
        QTRY_VERIFY(!points(live, handle, 0).empty() || handle >= 150);
        for (const SeriesPoint& point : points(live, handle, 0))
            QVERIFY2(point.tMs >= bornMs, "a stranger's sample");
        for (const Hold& hold : live->holds().holds(handle))
            QCOMPARE(hold.owner, QByteArray("second"));
        if (reused >= 5)
            break;
    }
    QVERIFY2(reused > 0, "no handle was given anew");
}

QTEST_GUILESS_MAIN(TestRecording)
#include "tst_recording.moc"
