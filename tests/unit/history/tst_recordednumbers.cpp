// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers over time as the recording has them: what does not change, and what runs with the clock.
#include "backend/core/derived/agedstate.h"
#include "backend/history/store/codec/statecodec.h"
#include "backend/history/store/recordfile.h"
#include "backend/session/recording/recordednumbers.h"
#include "backend/text/columns/column.h"
#include "tests/support/testprogram.h"
#include "tests/unit/fedrecording.h"

#include <QFileInfo>
#include <QSqlQuery>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 t0 = Recording::startMs;
constexpr qint64 minute = Retention::minute;
constexpr qint64 hour = Retention::hour;

} // namespace

class TestRecordedNumbers : public QObject
{
    Q_OBJECT

private slots:
    void whatHasNotChangedIsStillDrawn();
    void totalsThatHaveNotChangedAreStillDrawn();
    void anIdleDeploymentWritesNextToNothing();
    void aRestingServersNumbersRest();
    void aLeaseRunsDownBetweenReads();
    void numbersRunAsStatesAge();
    void rowsAreRecordedWhereTheyAreKeys();
};

void TestRecordedNumbers::whatHasNotChangedIsStillDrawn()
{
    Fed fed;
    fed.begin();
    fed.take(0, queueState({}, fed.nowMs(), 5));
    for (int i = 0; i < 60; ++i) {
        fed.pass(10 * minute);
        if (i % 20 == 19)
            fed.recording.writer->ageAll();
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
void TestRecordedNumbers::totalsThatHaveNotChangedAreStillDrawn()
{
    Fed fed;
    fed.begin();
    for (int i = 0; i < 72; ++i) {
        fed.feed->takeTotals({{"tokens.live", 7.0}}, fed.nowMs());
        fed.pass(10 * minute);
        if (i % 20 == 19)
            fed.recording.writer->ageAll();
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
void TestRecordedNumbers::anIdleDeploymentWritesNextToNothing()
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
    // A later change is written within the next second, as always.
    fed.take(0, lockState("bob", {}, fed.nowMs()));
    QCOMPARE(blocks(), blocksBefore + 1);
}

void TestRecordedNumbers::aRestingServersNumbersRest()
{
    QCOMPARE(steadyNumber("server.used_memory", 1e6, 1'004'000), 1e6);
    QCOMPARE(steadyNumber("server.used_memory", 1e6, 1'020'000), 1'020'000.0);
    QCOMPARE(steadyNumber("server.instantaneous_ops_per_sec", 2, 6), 2.0);
    QCOMPARE(steadyNumber("server.instantaneous_ops_per_sec", 2, 60), 60.0);
    QCOMPARE(steadyNumber("server.connected_clients", 2, 3), 3.0);
}

void TestRecordedNumbers::aLeaseRunsDownBetweenReads()
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
        fed.pass(10'000); // it expires, and was not read since
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

// Values that run on the boards also run in the charts.
void TestRecordedNumbers::numbersRunAsStatesAge()
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

void TestRecordedNumbers::rowsAreRecordedWhereTheyAreKeys()
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
    // Stored values are not recorded, only that there are some.
    pattern.rowsAre = Rows::Rotation;
    pattern.rows = {{"s3cret-member", {}, 13}};
    const QByteArray bytes = encodeState(bitmaps);
    QVERIFY(!bytes.contains("s3cret"));
    const StatePtr rotation = decodeState(bytes, bitmaps.primitive, 1000);
    QCOMPARE(rotation->as<PatternState>()->rowsAre, Rows::Rotation);
    QVERIFY(rotation->as<PatternState>()->rows.empty());
    QVERIFY(rotation->as<PatternState>()->rowsTruncated);
}

LK_TEST(TestRecordedNumbers);
#include "tst_recordednumbers.moc"
