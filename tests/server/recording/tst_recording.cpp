// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionjobs.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionseries.h"
#include "backend/session/sessionstates.h"
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
        const Series* series = live->series().store().find(handle, metric);
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
    live->polling().setAttention({}, lock);
    QTRY_VERIFY(points(live, lock, 0).size() > 3);
    server.line("DEL lock:a");
    QTRY_VERIFY(isAbsent(points(live, lock, 0).back().value));
    server.line("SET lock:a second PX 600000");
    QTRY_VERIFY(points(live, lock, 0).back().value > 0);
    const Points all = points(live, lock, 0);
    QCOMPARE(std::count_if(all.begin(), all.end(),
                           [](const SeriesPoint& p) { return std::isnan(p.value); }),
             1);
    QCOMPARE(live->series().holds().holds(lock).size(), 2U);
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
        QVERIFY2(!both || all[i].tMs - all[i - 1].tMs <= live->series().staleAfterMs(),
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
    live->polling().setAttention({}, jobs);
    QTRY_VERIFY(points(live, jobs, 0).size() > 3);
    live->polling().setPaused(true);
    QVERIFY(std::isnan(points(live, jobs, 0).back().value));
    QVERIFY(live.seconds(2));
    QVERIFY(
        std::isnan(points(live, jobs, 0).back().value)); // nor did what was still under way end it
    live->polling().setPaused(false);
    QTRY_VERIFY(!std::isnan(points(live, jobs, 0).back().value));
}

void TestRecording::totalsRestInAPause()
{
    RedisServer server;
    QVERIFY(server.start());
    server.line("SETEX code:c17bd6 600 payload");
    LiveSession live(server.url());
    const auto size = [&] {
        return points(live, SessionSeries::tokenTotals, SessionSeries::TokensLive).size();
    };
    QTRY_VERIFY_WITH_TIMEOUT(size() >= 3, 15'000); // every second, although nothing changes
    live->polling().setPaused(true);
    const size_t before = size();
    QVERIFY(live.seconds(3));
    QCOMPARE(size(), before);
    QVERIFY(std::isnan(
        points(live, SessionSeries::tokenTotals, SessionSeries::TokensLive).back().value));
}

void TestRecording::anotherQueueHasNotAskedWhoWaits()
{
    RedisServer server;
    QVERIFY(server.start());
    server.lines({"LPUSH jobs a b", "RPOPLPUSH jobs jobs:processing", "LPUSH mails a b",
                  "RPOPLPUSH mails mails:processing"});
    LiveSession live(server.url());
    QTRY_COMPARE(live.size(), 2);
    live->polling().setAttention({}, live.handle("jobs"));
    QTRY_VERIFY(live->jobs().waitingWorkers());
    live->polling().setAttention({}, live.handle("mails"));
    QVERIFY(!live->jobs().waitingWorkers());
    QTRY_VERIFY(live->jobs().waitingWorkers());
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
    live->polling().setAttention(seen, seen[0]);
    live->polling().setPlanned(seen);
    for (const Handle handle : seen)
        live->polling().setPinned(handle, true);
    QTRY_VERIFY(points(live, seen[1], 0).size() > 2 && points(live, seen[2], 0).size() > 2);
    QTRY_VERIFY(!live->series().holds().holds(seen[0]).empty() &&
                !live->findings().of(seen[0]).empty());

    const Result<Config> ignoring =
        parseConfig("[[ignore]]\nkey = \"lock:*\"\n", QStringLiteral("t"));
    QVERIFY(ignoring);
    live->applyConfig(*ignoring);
    QTRY_COMPARE(live.size(), 0);
    const qint64 bornMs = server.line("TIME").items[0].text.toLongLong() * 1000;
    server.lines({"SET new:lock:a second PX 600000", "SET new:lock:b second PX 600000",
                  "SET new:lock:c second PX 600000"});
    live->polling().rescan();
    QTRY_COMPARE(live.size(), 3);
    for (const auto& [handle, state] : live->states().all()) {
        QVERIFY2(handle.index < 3 && handle.generation == 1, "no place was given anew");
        QVERIFY(!live->polling().isPinned(handle));
        QVERIFY(live->findings().of(handle).empty());
    }
    live->polling().setAttention({}, live.handle("new:lock:a"));
    QTRY_VERIFY(points(live, live.handle("new:lock:a"), 0).size() > 2);
    for (const auto& [handle, state] : live->states().all()) {
        for (const SeriesPoint& point : points(live, handle, 0))
            QVERIFY2(point.tMs >= bornMs, "a stranger's sample");
        for (const Hold& hold : live->series().holds().holds(handle))
            QCOMPARE(hold.owner, QByteArray("second"));
    }
    for (const Handle handle : seen) {
        QVERIFY(!live->states().at(handle) && !live->polling().isPinned(handle));
        QVERIFY(!live->series().store().find(handle, 0));
        QVERIFY(live->series().holds().holds(handle).empty());
    }
}

LK_TEST(TestRecording);
#include "tst_recording.moc"
