// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"

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
    QVERIFY(
        std::isnan(points(live, jobs, 0).back().value)); // nor did what was still under way end it
    live->setPaused(false);
    QTRY_VERIFY(!std::isnan(points(live, jobs, 0).back().value));
}

void TestRecording::totalsRestInAPause()
{
    RedisServer server;
    QVERIFY(server.start());
    server.line("SETEX code:c17bd6 600 payload");
    LiveSession live(server.url());
    const auto size = [&] {
        return points(live, Session::tokenTotals, Session::TokensLive).size();
    };
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

// A handle is reused at once: the new primitive has no samples, holds, findings or attention of the
// earlier one.
void TestRecording::aNewPrimitiveHasNoStrangersPast()
{
    RedisServer server;
    QVERIFY(server.start());
    server.lines({"SET lock:a first", "SET lock:b first PX 600000", "SET lock:c first PX 600000"});
    LiveSession live(server.url());
    QTRY_COMPARE(live.size(), 3);
    std::vector<Handle> seen;
    for (const QByteArray name : {"lock:a", "lock:b", "lock:c"})
        seen.push_back(live.handle(name));
    live->setAttention(seen, seen[0]);
    live->setPlanned(seen);
    for (const Handle handle : seen)
        live->setPinned(handle, true);
    QTRY_VERIFY(points(live, seen[1], 0).size() > 2 && points(live, seen[2], 0).size() > 2);
    QTRY_VERIFY(!live->holds().holds(seen[0]).empty() && !live->findingsOf(seen[0]).empty());

    const Result<Config> ignoring =
        parseConfig("[[ignore]]\nkey = \"lock:*\"\n", QStringLiteral("t"));
    QVERIFY(ignoring);
    live->applyConfig(*ignoring);
    QTRY_COMPARE(live.size(), 0);
    const qint64 bornMs = server.line("TIME").items[0].text.toLongLong() * 1000;
    server.lines({"SET new:lock:a second PX 600000", "SET new:lock:b second PX 600000",
                  "SET new:lock:c second PX 600000"});
    live->rescan();
    QTRY_COMPARE(live.size(), 3);
    for (const auto& [handle, state] : live->states()) {
        QVERIFY2(handle.index < 3 && handle.generation == 1, "no place was given anew");
        QVERIFY(!live->isPinned(handle));
        QVERIFY(live->findingsOf(handle).empty());
    }
    live->setAttention({}, live.handle("new:lock:a"));
    QTRY_VERIFY(points(live, live.handle("new:lock:a"), 0).size() > 2);
    for (const auto& [handle, state] : live->states()) {
        for (const SeriesPoint& point : points(live, handle, 0))
            QVERIFY2(point.tMs >= bornMs, "a stranger's sample");
        for (const Hold& hold : live->holds().holds(handle))
            QCOMPARE(hold.owner, QByteArray("second"));
    }
    for (const Handle handle : seen) {
        QVERIFY(!live->state(handle) && !live->isPinned(handle));
        QVERIFY(!live->series().find(handle, 0));
        QVERIFY(live->holds().holds(handle).empty());
    }
}

LK_TEST(TestRecording);
#include "tst_recording.moc"
