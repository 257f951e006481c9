// SPDX-License-Identifier: GPL-3.0-or-later
// What is made of what a session sees: whatever the clocks say, and what becomes of a primitive.
#include "backend/core/derived/agedstate.h"
#include "backend/history/store/codec/bodycodec.h"
#include "backend/history/store/codec/statecodec.h"
#include "backend/history/store/recordfile.h"
#include "backend/session/recording/recordednumbers.h"
#include "backend/session/recording/recordfeed.h"
#include "backend/text/columns/column.h"
#include "tests/unit/recordings.h"

#include <QFileInfo>
#include <QSqlQuery>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 t0 = Recording::startMs;
constexpr qint64 minute = Retention::minute;
constexpr qint64 hour = Retention::hour;

/// A feed, its writer and its file, in one thread. The server's clock differs from this machine's.
struct Fed
{
    explicit Fed(qint64 offset = 0)
        : offsetMs(offset)
    {
        recording.writer = std::make_unique<RecordWriter>(
            RecordWriter::Setup{recording.path(), recording.retention, &recording.clock});
        feed = std::make_unique<RecordFeed>(recording.writer.get());
    }
    qint64 nowMs() const { return recording.clock.nowMs() + offsetMs; }
    void begin() const { feed->begin(shop, nowMs()); }
    /// place: of a primitive; gone: nullptr.
    void take(quint32 place, StatePtr state) const
    {
        auto changes = std::make_shared<std::vector<StateChange>>();
        changes->push_back({Handle(place, 1), std::move(state)});
        feed->takeChanges(changes, nowMs());
        recording.writer->flush();
    }
    void take(quint32 place, State state) const { take(place, shared(std::move(state))); }
    void pass(qint64 ms)
    {
        recording.clock.advance(ms);
        feed->tick(nowMs());
        recording.writer->flush();
    }

    Recording recording;
    qint64 offsetMs;
    std::unique_ptr<RecordFeed> feed;
};

State token(TokenState::Phase phase, qint64 atMs, TokenState::End end = TokenState::End::Gone)
{
    State state = tokenState(phase, 60'000, atMs);
    state.body.get<TokenState>().end = end;
    return state;
}

std::vector<RecordedEvent> eventsOf(const Fed& fed, const Primitive& primitive,
                                    const QSet<EventType>& types = {})
{
    Reading reading(fed.recording);
    return reading.events(
        {.deployment = shop.key, .primitive = recordedId(primitive), .types = types});
}

} // namespace

class TestRecordFeed : public QObject
{
    Q_OBJECT

private slots:
    void theServersTimeIsTheClock_data();
    void theServersTimeIsTheClock();
    void aClockThatWasSetBackIsFollowed();
    void howATokenEndedIsToldOnce_data();
    void howATokenEndedIsToldOnce();
    void massesOfTokensDoNotFillTheDisk();
    void theFirstSightAndTheLastAreTold();
    void whatHasNotChangedIsStillDrawn();
    void totalsThatHaveNotChangedAreStillDrawn();
    void anIdleDeploymentWritesNextToNothing();
    void aRestingServersNumbersRest();
    void aLeaseRunsDownBetweenReads();
    void numbersRunAsStatesAge();
    void moreStuckJobsAreTold();
    void rowsAreRecordedWhereTheyAreKeys();
    void anAlertIsOfThePrimitiveWhoseKeyItNames();
};

void TestRecordFeed::theServersTimeIsTheClock_data()
{
    QTest::addColumn<qint64>("offsetMs");
    QTest::newRow("an hour behind") << -hour;
    QTest::newRow("the same") << qint64(0);
    QTest::newRow("an hour ahead") << hour;
}

void TestRecordFeed::theServersTimeIsTheClock()
{
    QFETCH(qint64, offsetMs);
    Fed fed(offsetMs);
    // Read before it is known which deployment it is.
    fed.take(0, queueState({}, fed.nowMs() - 500, 5));
    const qint64 beganMs = fed.nowMs();
    fed.begin();
    fed.pass(1000);
    {
        Reading reading(fed.recording);
        QCOMPARE(reading.span(shop.key).firstMs, beganMs);
        QCOMPARE(reading.momentAt(shop.key, beganMs).states.size(), 1U);
        QVERIFY(!reading.momentAt(shop.key, beganMs).blind);
        QVERIFY(reading.gaps(shop.key, beganMs, fed.nowMs()).empty());
    }
    // It is as fine as it was read for an hour, by that clock.
    for (int i = 1; i <= 40; ++i) {
        fed.pass(minute);
        fed.take(0, queueState({}, fed.nowMs(), quint64(5 + i)));
        if (i % 10 == 0)
            fed.recording.writer->settle();
    }
    Reading reading(fed.recording);
    const RecordedId id{shop.key, {"reliable-list", "jobs"}};
    const RecordedSeries fine = reading.series(id, "ready", beganMs, fed.nowMs(), 1000);
    QCOMPARE(fine.stepMs, 0);
    QCOMPARE(fine.points.back().last, 45.0);
    QCOMPARE(fine.points.front().tMs, beganMs);
    // And no finer for longer.
    for (int i = 0; i < 24; ++i)
        fed.pass(10 * minute);
    fed.recording.writer->settle();
    QCOMPARE(reading.series(id, "ready", beganMs, beganMs + 30 * minute, 1000).stepMs, 10'000);
}

// As by a failover to a server whose clock is another.
void TestRecordFeed::aClockThatWasSetBackIsFollowed()
{
    Fed fed(hour);
    fed.take(0, queueState({}, fed.nowMs(), 5));
    fed.begin();
    fed.pass(10'000);
    fed.feed->end(GapReason::Lost);
    fed.offsetMs = -hour;
    fed.pass(10'000);
    fed.begin();
    fed.take(0, queueState({}, fed.nowMs(), 9));
    fed.pass(1000);
    Reading reading(fed.recording);
    const RecordedMoment now = reading.momentAt(shop.key, fed.nowMs());
    QVERIFY(!now.blind);
    QCOMPARE(now.states.size(), 1U);
    QCOMPARE(now.states[0].state->as<QueueState>()->ready, std::optional<qint64>(9));
}

void TestRecordFeed::howATokenEndedIsToldOnce_data()
{
    using Phase = TokenState::Phase;
    using End = TokenState::End;
    QTest::addColumn<int>("before");
    QTest::addColumn<int>("after");
    QTest::addColumn<int>("end");
    QTest::addColumn<QByteArray>("code");
    const auto row = [](const char* name, Phase before, Phase after, End end, const char* code) {
        QTest::newRow(name) << int(before) << int(after) << int(end) << QByteArray(code);
    };
    row("used", Phase::Live, Phase::Used, End::Gone, "consumed");
    row("used and deleted at once", Phase::Live, Phase::Gone, End::Consumed, "consumed");
    row("expired", Phase::Live, Phase::Gone, End::Expired, "expired");
    row("revoked", Phase::Live, Phase::Gone, End::Revoked, "revoked");
    row("gone", Phase::Live, Phase::Gone, End::Gone, "gone");
    row("never issued", Phase::NeverIssued, Phase::Gone, End::Removed, "removed");
    row("used before anybody looked", Phase::Used, Phase::Gone, End::Consumed, "");
    row("goes on", Phase::Live, Phase::Live, End::Gone, "");
}

void TestRecordFeed::howATokenEndedIsToldOnce()
{
    QFETCH(int, before);
    QFETCH(int, after);
    QFETCH(int, end);
    QFETCH(QByteArray, code);
    using Phase = TokenState::Phase;
    Fed fed;
    fed.begin();
    const State first = token(Phase(before), fed.nowMs());
    fed.take(0, first);
    fed.pass(5000);
    const qint64 endedMs = fed.nowMs();
    for (int i = 0; i < 3; ++i) { // read again and again
        fed.take(0, token(Phase(after), fed.nowMs(), TokenState::End(end)));
        fed.pass(5000);
    }
    const auto events = eventsOf(fed, *first.primitive, {EventType::TokenEnded});
    QCOMPARE(events.size(), code.isEmpty() ? 0U : 1U);
    if (code.isEmpty())
        return;
    QCOMPARE(events[0].code, code);
    QCOMPARE(events[0].tMs, endedMs);
    QCOMPARE(events[0].kind, Kind::Token);
}

void TestRecordFeed::massesOfTokensDoNotFillTheDisk()
{
    constexpr int many = 6000;
    Fed fed;
    fed.begin();
    const auto takeAll = [&](TokenState::Phase phase) {
        auto changes = std::make_shared<std::vector<StateChange>>();
        for (int i = 0; i < many; ++i) {
            State state = token(phase, fed.nowMs());
            state.primitive = madePrimitive(Kind::Token, "hash-token",
                                            "code:" + QByteArray::number(1'000'000 + i, 36));
            changes->push_back({Handle(quint32(i), 1), shared(std::move(state))});
        }
        fed.feed->takeChanges(changes, fed.nowMs());
        fed.recording.writer->flush();
    };
    takeAll(TokenState::Phase::Live);
    takeAll(TokenState::Phase::Used);
    Reading reading(fed.recording);
    const size_t told =
        reading
            .events({.deployment = shop.key, .types = {EventType::TokenEnded}, .limit = 10 * many})
            .size();
    QVERIFY2(told >= 1000 && told <= 2100, QByteArray::number(told).constData());
}

void TestRecordFeed::theFirstSightAndTheLastAreTold()
{
    Fed fed;
    fed.begin();
    fed.pass(1000);
    const qint64 seenMs = fed.nowMs();
    const State queue = queueState({}, seenMs, 5);
    fed.take(0, queue);
    {
        const auto events = eventsOf(fed, *queue.primitive);
        QCOMPARE(events.size(), 1U);
        QCOMPARE(events[0].type, EventType::PrimitiveSeen);
        QCOMPARE(events[0].tMs, seenMs);
    }
    fed.pass(60'000);
    const qint64 vanishedMs = fed.nowMs();
    State absent = queueState({}, vanishedMs, 0);
    absent.present = false;
    fed.take(0, absent);
    fed.pass(600'000); // it is shown for a while that it is gone
    fed.take(0, StatePtr());
    {
        const auto events = eventsOf(fed, *queue.primitive);
        QCOMPARE(events.size(), 2U);
        QCOMPARE(events[1].type, EventType::PrimitiveGone);
        QCOMPARE(events[1].tMs, vanishedMs);
    }
    fed.pass(60'000);
    const qint64 againMs = fed.nowMs();
    fed.take(1, queueState({}, againMs, 7));
    const auto events = eventsOf(fed, *queue.primitive);
    QCOMPARE(events.size(), 3U);
    QCOMPARE(events[0].tMs, seenMs);
    QCOMPARE(events[1].tMs, vanishedMs);
    QCOMPARE(events[2].type, EventType::PrimitiveSeen);
    QCOMPARE(events[2].code, QByteArray("again"));
    QCOMPARE(events[2].tMs, againMs);
    // In the time that is asked for, and no more than that.
    Reading reading(fed.recording);
    const auto part = reading.events({.deployment = shop.key,
                                      .primitive = recordedId(*queue.primitive),
                                      .fromMs = seenMs + 1,
                                      .toMs = againMs - 1});
    QCOMPARE(part.size(), 1U);
    const auto last = reading.events({.deployment = shop.key,
                                      .primitive = recordedId(*queue.primitive),
                                      .limit = 1,
                                      .latest = true});
    QCOMPARE(last.size(), 1U);
    QCOMPARE(last[0].tMs, againMs);
}

void TestRecordFeed::whatHasNotChangedIsStillDrawn()
{
    Fed fed;
    fed.begin();
    fed.take(0, queueState({}, fed.nowMs(), 5));
    for (int i = 0; i < 60; ++i) {
        fed.pass(10 * minute);
        if (i % 20 == 19)
            fed.recording.writer->settle();
    }
    Reading reading(fed.recording);
    const RecordedId id{shop.key, {"reliable-list", "jobs"}};
    const qint64 nowMs = fed.nowMs();
    const auto series =
        reading.series(id, "ready", nowMs - 30 * minute, nowMs, 1000, recordedNumber);
    QVERIFY(!series.points.empty());
    QCOMPARE(series.points.front().tMs, nowMs - 30 * minute);
    for (const RecordedPoint& point : series.points)
        QCOMPARE(point.last, 5.0);
    QVERIFY(reading.series(id, "dead", nowMs - 30 * minute, nowMs, 1000, recordedNumber)
                .points.empty());
}

// Only what changes is recorded, so that what runs by itself is worked out.
// No state says what they were where a chart begins.
void TestRecordFeed::totalsThatHaveNotChangedAreStillDrawn()
{
    Fed fed;
    fed.begin();
    for (int i = 0; i < 72; ++i) {
        fed.feed->takeTotals({{"tokens.live", 7.0}}, fed.nowMs());
        fed.pass(10 * minute);
        if (i % 20 == 19)
            fed.recording.writer->settle();
    }
    Reading reading(fed.recording);
    const RecordedId id{shop.key, deploymentTotals()->id};
    for (const qint64 hours : {1, 5, 11}) {
        const qint64 fromMs = fed.nowMs() - hours * hour;
        const RecordedSeries series =
            reading.series(id, "tokens.live", fromMs, fed.nowMs(), 100, recordedNumber);
        QVERIFY(!series.points.empty());
        QVERIFY2(series.points.front().tMs <= fromMs + minute,
                 QByteArray::number(hours).constData());
        for (const RecordedPoint& point : series.points)
            QCOMPARE(point.last, 7.0);
    }
}

// Only that it is still recorded: two pages every other second. And a kill loses no more than those
// two seconds.
void TestRecordFeed::anIdleDeploymentWritesNextToNothing()
{
    constexpr qint64 pageBytes = 4096 + 24; // as the log has it
    Fed fed(hour);
    fed.begin();
    fed.take(0, lockState("alice", {}, fed.nowMs()));
    fed.take(1, queueState({}, fed.nowMs(), 5));
    fed.take(2, token(TokenState::Phase::Live, fed.nowMs()));
    fed.feed->takeTotals({{"server.used_memory", 1e6}}, fed.nowMs());
    fed.pass(1000);
    RecordFile file(fed.recording.path());
    QVERIFY(file.open(RecordFile::Access::Read));
    const auto number = [&](const char* sql) {
        QSqlQuery query(file.db());
        return query.exec(QLatin1String(sql)) && query.next() ? query.value(0).toLongLong() : -1;
    };
    const auto blocks = [&] { return number("SELECT count(*) FROM block"); };
    fed.pass(2000);
    const qint64 blocksBefore = blocks();
    QVERIFY(blocksBefore > 0);
    const QString log = fed.recording.path() + QStringLiteral("-wal");
    qint64 writes = 0;
    qint64 bytes = QFileInfo(log).size();
    const qint64 bytesBefore = bytes;
    qint64 behindMs = 0;
    constexpr int seconds = 60;
    for (int i = 0; i < seconds; ++i) {
        fed.feed->takeTotals({{"server.used_memory", 1e6}}, fed.nowMs());
        fed.pass(i % 7 == 3 ? 980 : 1003); // timers are not exact
        behindMs = std::max(behindMs, fed.nowMs() - number("SELECT max(to_ms) FROM recording"));
        const qint64 before = std::exchange(bytes, QFileInfo(log).size());
        writes += bytes != before ? 1 : 0;
    }
    QVERIFY2(writes > 0 && writes <= seconds / 2, QByteArray::number(writes).constData());
    QVERIFY2(bytes - bytesBefore <= writes * 3 * pageBytes,
             QByteArray::number(bytes - bytesBefore).constData());
    QCOMPARE(blocks(), blocksBefore);
    QVERIFY2(behindMs <= 2000, QByteArray::number(behindMs).constData());
    // What happens then is written at the next second, as ever.
    fed.take(0, lockState("bob", {}, fed.nowMs()));
    QCOMPARE(blocks(), blocksBefore + 1);
}

void TestRecordFeed::aRestingServersNumbersRest()
{
    QCOMPARE(steadyNumber("server.used_memory", 1e6, 1'004'000), 1e6);
    QCOMPARE(steadyNumber("server.used_memory", 1e6, 1'020'000), 1'020'000.0);
    QCOMPARE(steadyNumber("server.instantaneous_ops_per_sec", 2, 6), 2.0);
    QCOMPARE(steadyNumber("server.instantaneous_ops_per_sec", 2, 60), 60.0);
    QCOMPARE(steadyNumber("server.connected_clients", 2, 3), 3.0);
}

void TestRecordFeed::aLeaseRunsDownBetweenReads()
{
    Fed fed;
    const State first = lockState("alice", 600'000, fed.nowMs() - 500);
    fed.take(0, first); // before it is recorded
    fed.begin();
    const qint64 beganMs = fed.nowMs();
    const auto leaseEnd = [&](qint64 leftMs) { return fed.nowMs() + leftMs; };
    fed.pass(100'000);
    State renewed = lockState("alice", 600'000, fed.nowMs());
    renewed.observed.renewals = 1;
    fed.take(0, renewed);
    const qint64 renewedMs = fed.nowMs();
    const qint64 secondEndMs = leaseEnd(600'000);
    for (int i = 0; i < 70; ++i)
        fed.pass(10'000); // it runs out, and nobody has read it since
    Reading reading(fed.recording);
    const RecordedId id{shop.key, first.primitive->id};
    const int drift = driftOf(Kind::Lock, "lease");
    QCOMPARE(drift, -1);
    const auto line = [&](qint64 fromMs, qint64 toMs) {
        return reading.series(id, "lease", fromMs, toMs, 1000, recordedNumber, drift).points;
    };
    const auto at = [](const std::vector<RecordedPoint>& points, qint64 tMs) {
        const auto next = std::ranges::upper_bound(points, tMs, {}, &RecordedPoint::tMs);
        return next == points.begin() ? -1 : (next - 1)->last;
    };
    const auto all = line(beganMs, fed.nowMs());
    QCOMPARE(all.front().tMs, beganMs);
    QVERIFY2(std::abs(at(all, beganMs) - 599'500) <= 1000,
             QByteArray::number(at(all, beganMs)).constData());
    QVERIFY(std::abs(at(all, beganMs + 50'000) - 549'500) <= 2000);
    QVERIFY(std::abs(at(all, renewedMs - 1) - 499'500) <= 2000);
    QCOMPARE(at(all, renewedMs), 600'000.0);
    QVERIFY(std::abs(at(all, renewedMs + 300'000) - 300'000) <= 2000);
    QCOMPARE(at(all, secondEndMs + 10'000), 0.0); // and no further
    QVERIFY(all.size() <= 1000);
    // Also where the stretch that is shown begins later.
    const auto late = line(renewedMs + 60'000, renewedMs + 120'000);
    QCOMPARE(late.front().tMs, renewedMs + 60'000);
    QCOMPARE(late.front().last, 540'000.0);
    QCOMPARE(late.back().last, 480'000.0);
}

// What runs in the charts is what runs on the boards.
void TestRecordFeed::numbersRunAsStatesAge()
{
    State limiter = madeState(madePrimitive(Kind::Limiter, "fixed-window", "q"), t0);
    auto& window = limiter.body.get<LimiterState>();
    window.occupancy = window.limit = 5;
    window.nextFreeMs = window.retryAfterMs = 60'000;
    State queue = queueState({1}, t0, 3);
    queue.body.get<QueueState>().oldestProcessingMs = 60'000;
    queue.body.get<QueueState>().oldestReadyMs = 60'000;
    State pattern = madeState(madePrimitive(Kind::Pattern, "navigation-session", "s"), t0);
    pattern.ttlMs = 60'000;
    int running = 0;
    for (const State& state : {limiter, lockState("alice", 60'000, t0), queue,
                               tokenState(TokenState::Phase::Live, 60'000, t0), pattern}) {
        const StatePtr later = agedState(shared(state), t0 + 1000);
        for (const Metric& metric : metrics(state.kind())) {
            const auto before = metric.value(state);
            if (!before)
                continue;
            const int drift = driftOf(state.kind(), metric.id);
            QCOMPARE(metric.value(*later), std::optional(*before + 1000.0 * drift));
            running += drift != 0;
        }
    }
    QCOMPARE(running, 6);
}

void TestRecordFeed::moreStuckJobsAreTold()
{
    Fed fed;
    fed.begin();
    for (const int stuck : {1, 2}) { // the same jobs: only time has passed
        State queue = queueState({1, 2}, fed.nowMs(), 0);
        queue.body.get<QueueState>().stuck = stuck;
        fed.take(0, queue);
        fed.pass(5000);
    }
    Reading reading(fed.recording);
    const RecordedMoment moment = reading.momentAt(shop.key, fed.nowMs());
    QCOMPARE(moment.states.at(0).state->as<QueueState>()->stuck, 2);
}

void TestRecordFeed::rowsAreRecordedWhereTheyAreKeys()
{
    using Rows = PatternState::Rows;
    State bitmaps = madeState(madePrimitive(Kind::Pattern, "bitmap", "active:{date}"), 1000);
    auto& pattern = bitmaps.body.get<PatternState>();
    pattern.values = {{"keys", 100}};
    pattern.rowsAre = Rows::Counts;
    for (int i = 0; i < 100; ++i)
        pattern.rows.push_back({"active:" + QByteArray::number(i), double(i), i * 8});
    pattern.rows.back().value.reset(); // not known
    const StatePtr back = decodeState(encodeState(bitmaps), bitmaps.primitive, 1000);
    QVERIFY(back);
    const auto* read = back->as<PatternState>();
    QCOMPARE(read->rowsAre, Rows::Counts);
    QCOMPARE(read->rows.size(), 64U); // the newest
    QVERIFY(read->rowsTruncated);
    QCOMPARE(read->rows.front().label, QByteArray("active:36"));
    QCOMPARE(read->rows.front().value, std::optional<double>(36));
    QCOMPARE(read->rows.front().bytes, 36 * 8);
    QVERIFY(!read->rows.back().value);
    // Of what is stored only that there is some.
    pattern.rowsAre = Rows::Rotation;
    pattern.rows = {{"s3cret-member", {}, 13}};
    const QByteArray bytes = encodeState(bitmaps);
    QVERIFY(!bytes.contains("s3cret"));
    const StatePtr rotation = decodeState(bytes, bitmaps.primitive, 1000);
    QCOMPARE(rotation->as<PatternState>()->rowsAre, Rows::Rotation);
    QVERIFY(rotation->as<PatternState>()->rows.empty());
    QVERIFY(rotation->as<PatternState>()->rowsTruncated);
}

// As a finding tells it: by one of its keys.
void TestRecordFeed::anAlertIsOfThePrimitiveWhoseKeyItNames()
{
    Fed fed;
    State queue = queueState({}, fed.nowMs(), 5);
    auto primitive = std::make_shared<Primitive>(*queue.primitive);
    primitive->keys.push_back({"processing", "jobs:processing"});
    queue.primitive = primitive;
    RecordedEvent alert;
    alert.type = EventType::AlertFired;
    alert.kind = Kind::Queue;
    alert.primitive = {{}, primitive->keys.back().key};
    alert.ref = "a1";
    RecordedEvent another = alert; // of another kind, and so of nothing that is known
    another.kind = Kind::Lock;
    another.ref = "a2";
    // Fired before it is recorded, and while it is.
    alert.tMs = another.tMs = fed.nowMs();
    fed.feed->takeEvents({alert});
    fed.take(0, queue);
    fed.begin();
    fed.pass(1000);
    alert.ref = "a3";
    alert.tMs = fed.nowMs();
    fed.feed->takeEvents({alert, another});
    fed.pass(1000);
    // It is gone before it is resolved.
    fed.take(0, nullptr);
    fed.pass(1000);
    alert.type = EventType::AlertResolved;
    alert.tMs = fed.nowMs();
    fed.feed->takeEvents({alert});
    fed.pass(1000);
    const auto told = eventsOf(fed, *primitive, {EventType::AlertFired, EventType::AlertResolved});
    QByteArrayList refs;
    for (const RecordedEvent& event : told)
        refs << event.ref;
    QCOMPARE(refs, QByteArrayList({"a1", "a3", "a3"}));
    Reading reading(fed.recording);
    QCOMPARE(reading.events({.deployment = shop.key, .types = {EventType::AlertFired}}).size(), 3U);
}

QTEST_GUILESS_MAIN(TestRecordFeed)
#include "tst_recordfeed.moc"
