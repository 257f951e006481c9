// SPDX-License-Identifier: GPL-3.0-or-later
// An ageing recording becomes coarser and stays bounded, but never contains false values.
#include "backend/history/store/ageing.h"
#include "backend/history/store/codec/framereduce.h"
#include "backend/history/store/recordfile.h"
#include "tests/support/testprogram.h"
#include "tests/unit/recordings.h"

#include <QFileInfo>
#include <QSqlQuery>

using namespace lk;
using namespace lk::test;

class TestRecordTiers : public QObject
{
    Q_OBJECT

private slots:
    void aStepKeepsItsExtremes();
    void aGapStaysWhereItWas();
    void eachStepEndsAsItDid();
    void aYearIsKeptInItsTiers();
    void aMomentStaysRightAsItAges();
    void whatRestsIsKnownBetweenTwoDays();
    void whatIsHeldStaysKnownForHoweverLong();
    void whatIsTooOldIsForgotten();
    void theFileStaysUnderItsCap();
    void aFileShrinksToASmallerSize();
    void whatIsIdleStaysKnownInASmallFile();
    void whatAnotherProgramRecordsIsLeftToIt();
};

namespace {

constexpr qint64 t0 = Recording::startMs;
constexpr double notKnown = std::numeric_limits<double>::quiet_NaN();

SampleFrame frame(qint64 tMs, double value)
{
    return {1, 1, {tMs, value, value, value, value}};
}

const RecordedId jobs{shop.key, {"reliable-list", "jobs"}};

/// Every step of so many milliseconds until then: value, and ageing as the timer would.
void run(Recording& recording, qint64 untilMs, qint64 stepMs)
{
    int i = 0;
    while (recording.clock.nowMs() < untilMs) {
        recording.clock.advance(stepMs);
        RecordBatch batch = recording.batch();
        State queue = queueState({}, recording.clock.nowMs(), ++i % 100);
        batch.states.push_back({queue.primitive, queue.asOfMs, shared(queue)});
        batch.samples.push_back(
            {jobs.primitive, "ready", recording.clock.nowMs(), double(i % 100)});
        recording.add(std::move(batch));
        if (i % 50 == 0)
            recording.writer->ageAll();
    }
    recording.writer->ageAll();
}

} // namespace

void TestRecordTiers::aStepKeepsItsExtremes()
{
    const auto kept = reduced(
        std::vector<SampleFrame>{frame(0, 10), frame(2000, 50), frame(4000, 0), frame(12'000, 5)},
        10'000);
    QCOMPARE(kept.size(), 2U);
    QCOMPARE(kept[0].point.smallest, 0.0);
    QCOMPARE(kept[0].point.largest, 50.0);
    QCOMPARE(kept[0].point.last, 0.0);
    QCOMPARE(kept[0].point.mean, 12.0); // 2 s of 10, 2 s of 50, 6 s of 0
    QCOMPARE(kept[1].point.tMs, 10'000);
    QCOMPARE(kept[1].point.smallest, 0.0); // as it was when the step began
    QCOMPARE(kept[1].point.last, 5.0);
    QCOMPARE(kept[1].point.mean, 4.0); // 2 s of 0, 8 s of 5
}

void TestRecordTiers::aGapStaysWhereItWas()
{
    const auto kept = reduced(
        std::vector<SampleFrame>{frame(0, 10), frame(3000, notKnown), frame(25'000, 7)}, 10'000);
    QCOMPARE(kept.size(), 3U);
    QCOMPARE(kept[0].point.mean, 10.0); // of what was known
    QVERIFY(kept[1].point.isGap());
    QCOMPARE(kept[1].point.tMs, 3000);
    QCOMPARE(kept[2].point.last, 7.0);
    QCOMPARE(kept[2].point.smallest, 7.0); // not what was before the gap
}

// Whatever came in which order, as of a lock's TTL, which is often there and often not.
void TestRecordTiers::eachStepEndsAsItDid()
{
    quint32 noise = 1;
    const auto next = [&](quint32 below) {
        return (noise = noise * 1664525U + 1013904223U, noise >> 8) % below;
    };
    std::vector<SampleFrame> read;
    for (qint64 tMs = 0; tMs < 3'600'000; tMs += 100 + next(9000))
        read.push_back(frame(tMs, next(2) > 0 ? notKnown : double(next(50))));
    const auto at = [](const std::vector<SampleFrame>& frames, qint64 tMs) {
        double value = notKnown;
        for (const SampleFrame& f : frames)
            value = f.point.tMs <= tMs ? f.point.last : value;
        return value;
    };
    std::vector<SampleFrame> kept = read;
    for (const qint64 stepMs : {10'000, 60'000}) {
        kept = reduced(kept, stepMs);
        QVERIFY(std::ranges::is_sorted(kept, {}, [](const SampleFrame& f) { return f.point.tMs; }));
        QVERIFY(qint64(kept.size()) <= 2 * (3'600'000 / stepMs + 1));
        for (qint64 endMs = stepMs - 1; endMs < 3'600'000; endMs += stepMs) {
            const double was = at(read, endMs);
            const double is = at(kept, endMs);
            QVERIFY(std::isnan(was) ? std::isnan(is) : is == was);
        }
    }
}

void TestRecordTiers::aYearIsKeptInItsTiers()
{
    constexpr qint64 hour = Retention::hour;
    constexpr qint64 day = Retention::day;
    Recording recording;
    recording.open();
    const qint64 nowMs = t0 + 365 * day;
    run(recording, nowMs - 40 * day, 6 * hour);
    run(recording, nowMs - 3 * day, hour);
    run(recording, nowMs - 2 * hour, 300'000);
    run(recording, nowMs, 5000);
    Reading reading(recording);
    const auto step = [&](qint64 fromMs, qint64 toMs) {
        const RecordedSeries series = reading.series(jobs, "ready", fromMs, toMs, 100'000);
        QTest::qVerify(!series.points.empty(), "there are points", "", __FILE__, __LINE__);
        return series.stepMs;
    };
    QCOMPARE(step(nowMs - 1800'000, nowMs), 10'000); // which looks back for what was before
    QCOMPARE(step(nowMs - 20 * hour, nowMs - 19 * hour), 10'000);
    QCOMPARE(step(nowMs - 10 * day, nowMs - 9 * day), 60'000);
    QCOMPARE(step(nowMs - 200 * day, nowMs - 199 * day), hour);
    // As read: nothing is left out of the last hour.
    const RecordedSeries fresh = reading.series(jobs, "ready", nowMs - 600'000, nowMs, 100'000);
    QVERIFY(fresh.points.size() >= 120);
    // All of the year is there, its extremes too.
    const RecordedSeries year = reading.series(jobs, "ready", t0, nowMs, 2000);
    QVERIFY(year.points.size() <= 2000);
    double largest = 0;
    for (const RecordedPoint& p : year.points)
        largest = std::max(largest, p.isGap() ? 0 : p.largest);
    QCOMPARE(largest, 99.0);
    QVERIFY(!reading.momentAt(shop.key, t0 + 100 * day).states.empty());
    // And after two more years nothing is.
    recording.clock.advance(800 * day);
    recording.writer->ageAll();
    QVERIFY(reading.series(jobs, "ready", t0, nowMs, 2000).points.size() <= 2);
}

void TestRecordTiers::aMomentStaysRightAsItAges()
{
    constexpr qint64 hour = Retention::hour;
    Recording recording;
    recording.open();
    // Another owner every ten minutes, and the same one for a day before.
    recording.addState(lockState("early", 30'000, t0));
    recording.clock.advance(Retention::day);
    qint64 atMs = recording.clock.nowMs();
    for (int i = 0; i < 60; ++i) {
        recording.addState(lockState("owner-" + QByteArray::number(i), 30'000, atMs));
        recording.clock.advance(600'000);
        atMs = recording.clock.nowMs();
    }
    const auto ownerAt = [&](qint64 tMs) {
        Reading reading(recording);
        const StatePtr state = reading.stateAt({shop.key, {"set-nx-px", "l"}}, tMs);
        return state ? state->as<LockState>()->owner : QByteArray();
    };
    const qint64 beganMs = t0 + Retention::day;
    for (const qint64 laterMs : {qint64(0), 3 * hour, 3 * Retention::day, 20 * Retention::day}) {
        recording.clock.advance(laterMs);
        recording.addState(lockState("late", 30'000, recording.clock.nowMs()));
        recording.writer->ageAll();
        QCOMPARE(ownerAt(beganMs - 1), QByteArray("early"));
        QCOMPARE(ownerAt(beganMs + 7 * 600'000 + 1000), QByteArray("owner-7"));
        QCOMPARE(ownerAt(beganMs + 30 * 600'000 + 599'999), QByteArray("owner-30"));
        Reading reading(recording);
        const RecordedMoment then = reading.momentAt(shop.key, beganMs + 7 * 600'000 + 1000);
        QCOMPARE(then.states.size(), 1U);
        QCOMPARE(then.states[0].state->as<LockState>()->owner, QByteArray("owner-7"));
    }
}

// One old bucket is left for each day. The first one of a busy day and the first one of the next,
// quiet day are nearly two days apart.
void TestRecordTiers::whatRestsIsKnownBetweenTwoDays()
{
    constexpr qint64 step = 600'000;
    Recording recording;
    recording.clock.advance(Retention::day - t0 % Retention::day);
    const qint64 midnightMs = recording.clock.nowMs();
    recording.open();
    recording.addState(lockState("at-rest", 30'000, midnightMs));
    int i = 0;
    for (; recording.clock.nowMs() < midnightMs + Retention::day - 1000; ++i) {
        recording.addState(queueState({}, recording.clock.nowMs(), i));
        recording.clock.advance(step);
    }
    for (; recording.clock.nowMs() < midnightMs + 6 * Retention::day; ++i) {
        recording.add(recording.batch()); // it is recorded, and nothing happens
        recording.clock.advance(step);
        if (i % 20 == 0)
            recording.writer->ageAll();
    }
    recording.writer->ageAll();
    Reading reading(recording);
    for (int hour = 1; hour < 6 * 24 - 1; ++hour) {
        const RecordedMoment then =
            reading.momentAt(shop.key, midnightMs + hour * Retention::hour - 1);
        QVERIFY2(then.states.size() == 2, QByteArray::number(hour).constData());
    }
}

// Also by who wants to keep no more than a day.
void TestRecordTiers::whatIsHeldStaysKnownForHoweverLong()
{
    Recording recording;
    for (RecordingTier& tier : recording.retention.tiers)
        tier.keepMs = std::min(tier.keepMs, Retention::day);
    recording.open();
    const State lock = lockState("worker-a", {}, t0);
    recording.addState(lock);
    RecordBatch batch = recording.batch();
    batch.holds.push_back(
        {{"worker-a", t0, t0, {}, true, true, true, true, 0}, lock.primitive->id});
    batch.holds.push_back(
        {{"before", t0 - 9000, t0, {}, false, false, true, true, 0}, lock.primitive->id});
    recording.add(std::move(batch));
    for (int hour = 0; hour < 72; ++hour) {
        recording.clock.advance(Retention::hour);
        recording.add(recording.batch());
        recording.writer->ageAll();
    }
    Reading reading(recording);
    const auto holds =
        reading.holds({shop.key, lock.primitive->id}, t0 - 10'000, recording.clock.nowMs());
    QCOMPARE(holds.size(), 1U);
    QCOMPARE(holds[0].owner, QByteArray("worker-a"));
    QCOMPARE(holds[0].fromMs, t0);
    QVERIFY(holds[0].open);
}

// All of it is removed, without a hidden error.
void TestRecordTiers::whatIsTooOldIsForgotten()
{
    Recording recording;
    recording.open();
    recording.addState(lockState("alice", 30'000, t0));
    RecordBatch batch = recording.batch();
    batch.events.push_back({.tMs = t0, .type = EventType::ServerLost});
    batch.holds.push_back({{"alice", t0, t0, {}, false, false, true, true, 0}, {"set-nx-px", "l"}});
    for (const char* code : {"closed", "open"}) {
        FindingChange opened;
        opened.finding.finding.code = code;
        opened.finding.sinceMs = t0;
        batch.findings.push_back(opened);
    }
    FindingChange closed = batch.findings.front();
    closed.closedMs = t0 + 1000;
    batch.findings.push_back(closed);
    recording.add(std::move(batch));
    recording.close();
    RecordFile file(recording.path());
    QVERIFY(file.open(RecordFile::Access::Write));
    const auto count = [&](const char* what) {
        QSqlQuery query(file.db());
        const bool asked =
            query.exec(QStringLiteral("SELECT count(*) FROM ") + QLatin1String(what)) &&
            query.next();
        return asked ? query.value(0).toInt() : -1;
    };
    QCOMPARE(count("finding"), 2);
    QCOMPARE(count("hold"), 1);
    Ageing ageing(file, "nobody");
    Retention small;
    for (RecordingTier& tier : small.tiers)
        tier.keepMs = std::min(tier.keepMs, Retention::day);
    int steps = 0;
    while (ageing.step(small, t0 + 30 * Retention::day) && ++steps < 1000) {
    }
    QVERIFY2(!ageing.error().isValid(), qPrintable(ageing.error().text()));
    for (const char* what : {"block", "hold", "event", "recording"})
        QVERIFY2(count(what) == 0, what);
    QCOMPARE(count("finding"), 1); // the one that is open
    // The same of what is too much.
    small.capBytes = 1;
    while (ageing.step(small, t0) && ++steps < 1000) {
    }
    QVERIFY2(!ageing.error().isValid(), qPrintable(ageing.error().text()));
    QVERIFY(steps < 1000);
}

void TestRecordTiers::theFileStaysUnderItsCap()
{
    constexpr qint64 capBytes = 4 * 1024 * 1024;
    Recording recording;
    recording.retention.capBytes = capBytes;
    recording.open();
    qint64 largest = 0;
    quint32 noise = 1;
    for (int i = 0; i < 600; ++i) {
        recording.clock.advance(1000);
        RecordBatch batch = recording.batch();
        for (int k = 0; k < 200; ++k) { // what cannot be compressed away
            noise = noise * 1664525U + 1013904223U;
            State lock =
                lockState(QByteArray::number(noise, 36) + QByteArray::number(~noise, 36),
                          30'000 + noise % 1000, recording.clock.nowMs(),
                          madePrimitive(Kind::Lock, "set-nx-px", "lock:" + QByteArray::number(k)));
            batch.states.push_back({lock.primitive, lock.asOfMs, shared(std::move(lock))});
        }
        recording.add(std::move(batch));
        if (i % 10 == 0) {
            recording.writer->ageAll();
            largest = std::max(largest, QFileInfo(recording.path()).size());
        }
    }
    QVERIFY2(largest <= capBytes, QByteArray::number(largest).constData());
    // The last records exist, the first ones are gone.
    Reading reading(recording);
    const qint64 nowMs = recording.clock.nowMs();
    QCOMPARE(reading.momentAt(shop.key, nowMs).states.size(), 200U);
    QVERIFY(largest > capBytes / 4); // it is used, too
}

namespace {

/// So many locks whose owners cannot be compressed away, each second.
void addNoise(Recording& recording, int seconds, int locks, qint64 stepMs = 1000)
{
    quint32 noise = 7;
    for (int i = 0; i < seconds; ++i) {
        recording.clock.advance(stepMs);
        RecordBatch batch = recording.batch();
        for (int k = 0; k < locks; ++k) {
            noise = noise * 1664525U + 1013904223U;
            State lock =
                lockState(QByteArray::number(noise, 36) + QByteArray::number(~noise, 36),
                          30'000 + noise % 1000, recording.clock.nowMs(),
                          madePrimitive(Kind::Lock, "set-nx-px", "lock:" + QByteArray::number(k)));
            batch.states.push_back({lock.primitive, lock.asOfMs, shared(std::move(lock))});
        }
        recording.add(std::move(batch));
    }
}

} // namespace

// Step by step: what is to be written in between is written.
void TestRecordTiers::aFileShrinksToASmallerSize()
{
    constexpr qint64 smallBytes = 2 * 1024 * 1024;
    Recording recording;
    recording.open();
    addNoise(recording, 800, 400);
    recording.close();
    const qint64 before = QFileInfo(recording.path()).size();
    QVERIFY(before > 2 * smallBytes);
    Retention small;
    small.capBytes = smallBytes;
    RecordFile file(recording.path());
    QVERIFY(file.open(RecordFile::Access::Write));
    Ageing ageing(file, "nobody");
    recording.open();
    QSignalSpy problems(recording.writer.get(), &RecordWriter::problem);
    int steps = 0;
    while (ageing.step(small, recording.clock.nowMs())) {
        if (++steps % 5 == 0)
            addNoise(recording, 1, 1);
    }
    QVERIFY(!ageing.error().isValid());
    QVERIFY2(steps >= 10, QByteArray::number(steps).constData()); // none of them is long
    QCOMPARE(problems.size(), 0);
    file.close();
    // The writer does the same once it is told so.
    recording.writer->setRetention(small);
    QSignalSpy measured(recording.writer.get(), &RecordWriter::measured);
    recording.writer->ageAll();
    QCOMPARE(measured.last()[0].value<RecordingSize>().capBytes, smallBytes);
    recording.close();
    const qint64 after = QFileInfo(recording.path()).size();
    QVERIFY2(after <= smallBytes, QByteArray::number(after).constData());
    // The latest is there.
    Reading reading(recording);
    QVERIFY(!reading.momentAt(shop.key, recording.clock.nowMs()).states.empty());
}

void TestRecordTiers::whatIsIdleStaysKnownInASmallFile()
{
    Recording recording;
    recording.retention.capBytes = 3 * 512 * 1024;
    recording.open();
    recording.addState(queueState({}, t0, 7));
    for (int i = 0; i < 100; ++i) {
        addNoise(recording, 60, 40, 10'000);
        recording.writer->ageAll();
    }
    Reading reading(recording);
    const qint64 nowMs = recording.clock.nowMs();
    // Its beginning is gone, but not the states that have not changed since.
    QVERIFY(reading.momentAt(shop.key, t0 + 60'000).states.size() < 41);
    const StatePtr idle = reading.stateAt(jobs, nowMs);
    QVERIFY(idle);
    QCOMPARE(idle->as<QueueState>()->ready, std::optional<qint64>(7));
    QCOMPARE(reading.momentAt(shop.key, nowMs).states.size(), 41U);
    // Nor does it keep its whole beginning for that.
    RecordFile file(recording.path());
    QVERIFY(file.open(RecordFile::Access::Read));
    QSqlQuery query(file.db());
    QVERIFY(query.exec(QStringLiteral("SELECT min(from_ms) FROM block WHERE stream = 2")));
    QVERIFY(query.next());
    const qint64 oldestMs = query.value(0).toLongLong();
    QVERIFY2(oldestMs > t0 + (nowMs - t0) / 3, QByteArray::number(oldestMs - t0).constData());
}

void TestRecordTiers::whatAnotherProgramRecordsIsLeftToIt()
{
    Recording recording;
    recording.open();
    addNoise(recording, 300, 1);
    RecordFile file(recording.path());
    QVERIFY(file.open(RecordFile::Access::Write));
    Ageing other(file, "another program");
    QVERIFY(!other.step(Retention(), recording.clock.nowMs()));
    recording.writer->end(shop.key, GapReason::Stopped);
    QVERIFY(other.step(Retention(), recording.clock.nowMs()));
}

LK_TEST(TestRecordTiers);
#include "tst_recordtiers.moc"
