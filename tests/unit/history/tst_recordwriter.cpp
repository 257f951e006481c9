// SPDX-License-Identifier: GPL-3.0-or-later
// A read returns the values that were written: at a moment, and over time.
#include "backend/history/store/codec/statecodec.h"
#include "tests/support/testprogram.h"
#include "tests/unit/recordings.h"

#include <QFileInfo>

using namespace lk;
using namespace lk::test;

class TestRecordWriter : public QObject
{
    Q_OBJECT

private slots:
    void aMomentHasWhatWasThereThen();
    void nobodyElseReadsTheFile();
    void aMomentIsTheSameByMemory();
    void whatIsGoneIsNotThere();
    void whoIsBackIsNotGone();
    void whatDoesNotChangeIsWrittenOnce();
    void numbersAreHeldUntilTheNext();
    void whatWasReadBeforeItBeganIsKnownFromThenOn();
    void aDeploymentIsKnownByEachOfItsNames();
    void eventsAreFoundByTimeAndType();
    void holdsGrow();
    void findingsAreThereWhileTheyAreOpen();
    void aFindingLastsAcrossRecorders();
    void blindnessIsTold();
    void anIdleDeploymentWritesNothing();
    void muchAtOnceIsWrittenAndNotDropped();
};

namespace {

constexpr qint64 t0 = Recording::startMs;

State lockOf(const QByteArray& owner, qint64 atMs)
{
    return lockState(owner, 30'000, atMs);
}

} // namespace

void TestRecordWriter::aMomentHasWhatWasThereThen()
{
    Recording recording;
    recording.open();
    recording.addState(lockOf("alice", t0 + 1000));
    recording.addState(lockOf("bob", t0 + 5000));
    recording.addState(queueState({1, 2}, t0 + 6000, 7));
    Reading reading(recording);
    QVERIFY(reading.opened);

    RecordedMoment moment = reading.momentAt(shop.key, t0 + 1500);
    QCOMPARE(moment.states.size(), 1U);
    QCOMPARE(moment.states[0].state->as<LockState>()->owner, QByteArray("alice"));
    QCOMPARE(moment.states[0].atMs, t0 + 1000);
    QVERIFY(!moment.blind);

    moment = reading.momentAt(shop.key, t0 + 6000);
    QCOMPARE(moment.states.size(), 2U);
    const auto owner = [&] {
        for (const RecordedState& s : moment.states) {
            if (const auto* lock = s.state->as<LockState>())
                return lock->owner;
        }
        return QByteArray();
    };
    QCOMPARE(owner(), QByteArray("bob"));
    const StatePtr queue = reading.stateAt({shop.key, {"reliable-list", "jobs"}}, t0 + 6000);
    QVERIFY(queue);
    QCOMPARE(queue->as<QueueState>()->ready, std::optional<qint64>(7));
    QVERIFY(reading.momentAt(shop.key, t0 - 1).blind);
    QVERIFY(reading.momentAt(shop.key, t0 - 1).states.empty());
}

// Forwards, backwards, and over what is gone: what is remembered changes nothing.
void TestRecordWriter::aMomentIsTheSameByMemory()
{
    Recording recording;
    recording.open();
    for (int i = 0; i < 20; ++i) {
        recording.clock.advance(1000);
        const qint64 atMs = recording.clock.nowMs();
        recording.addState(queueState({}, atMs, quint64(i / 3)));
        State lock = lockOf(i % 4 == 0 ? "alice" : "bob", atMs);
        if (i % 5 != 4) {
            recording.addState(std::move(lock));
            continue;
        }
        RecordBatch gone = recording.batch();
        gone.states.push_back({lock.primitive, atMs, nullptr});
        recording.add(std::move(gone));
    }
    Reading reading(recording);
    MomentMemory memory;
    StatePtr last;
    int kept = 0;
    for (const int second : {1, 2, 3, 4, 5, 6, 7, 8, 12, 3, 20, 19, 5, 6, 6}) {
        const qint64 atMs = t0 + second * 1000 + 100;
        const RecordedMoment fresh = reading.momentAt(shop.key, atMs);
        const RecordedMoment again = reading.momentAt(shop.key, atMs, &memory);
        QCOMPARE(again.states.size(), fresh.states.size());
        QCOMPARE(memory.primitives.size(), fresh.states.size());
        for (size_t i = 0; i < fresh.states.size(); ++i) {
            QCOMPARE(again.states[i].atMs, fresh.states[i].atMs);
            QCOMPARE(again.states[i].primitive->id, fresh.states[i].primitive->id);
            QCOMPARE(encodeState(*again.states[i].state), encodeState(*fresh.states[i].state));
        }
        kept += std::exchange(last, again.states[0].state) == again.states[0].state ? 1 : 0;
    }
    QVERIFY(kept > 2); // where it was the same, it is the same one
    // The memory is not used for another deployment.
    QVERIFY(reading.momentAt("redis:other:6379/0", t0 + 5000, &memory).states.empty());
}

void TestRecordWriter::nobodyElseReadsTheFile()
{
    Recording recording;
    recording.open();
    const auto permissions = QFileInfo(recording.path()).permissions();
    QVERIFY(!(permissions & (QFileDevice::ReadGroup | QFileDevice::ReadOther)));
}

void TestRecordWriter::whatIsGoneIsNotThere()
{
    Recording recording;
    recording.open();
    const State lock = lockOf("alice", t0 + 1000);
    recording.addState(lock);
    RecordBatch gone = recording.batch();
    gone.atMs = t0 + 2000;
    gone.states.push_back({lock.primitive, t0 + 2000, nullptr});
    recording.add(gone);
    recording.addState(lockOf("carol", t0 + 3000)); // the same name again
    Reading reading(recording);
    QCOMPARE(reading.momentAt(shop.key, t0 + 1999).states.size(), 1U);
    QVERIFY(reading.momentAt(shop.key, t0 + 2000).states.empty());
    QCOMPARE(reading.momentAt(shop.key, t0 + 3000).states.size(), 1U);
}

// Whatever was told of it while it was gone, as how it was released.
void TestRecordWriter::whoIsBackIsNotGone()
{
    Recording recording;
    recording.open();
    const State lock = lockOf("alice", t0 + 1000);
    recording.addState(lock);
    RecordBatch gone = recording.batch();
    gone.states.push_back({lock.primitive, t0 + 2000, nullptr});
    recording.add(gone);
    RecordBatch told = recording.batch();
    told.events.push_back({.tMs = t0 + 2500, .type = EventType::Action});
    told.events.back().primitive = lock.primitive->id;
    recording.add(told);
    Reading reading(recording);
    QCOMPARE(reading.span(shop.key).primitives, 0);
    recording.addState(lockOf("carol", t0 + 3000));
    QCOMPARE(reading.span(shop.key).primitives, 1);
    const auto events = reading.events({.deployment = shop.key, .primitive = lock.primitive->id});
    QCOMPARE(events.size(), 4U);
    QCOMPARE(events[1].type, EventType::PrimitiveGone);
    QCOMPARE(events[2].type, EventType::Action);
    QCOMPARE(events[3].type, EventType::PrimitiveSeen);
    QCOMPARE(events[3].code, QByteArray("again"));
}

void TestRecordWriter::whatDoesNotChangeIsWrittenOnce()
{
    Recording recording;
    recording.open();
    State lock = lockOf("alice", t0 + 1000);
    recording.addState(lock);
    recording.writer->ageAll();
    const qint64 before = QFileInfo(recording.path()).size();
    for (int i = 1; i < 500; ++i) { // its lease runs down, and nothing else
        lock.asOfMs = t0 + 1000 + i;
        lock.ttlMs = lock.body.get<LockState>().leaseMs = 30'000 - i;
        recording.addState(lock);
    }
    Reading reading(recording);
    QCOMPARE(reading.momentAt(shop.key, t0 + 1400).states[0].atMs, t0 + 1000);
    recording.close();
    QCOMPARE(QFileInfo(recording.path()).size(), before);
}

void TestRecordWriter::numbersAreHeldUntilTheNext()
{
    Recording recording;
    recording.open();
    recording.addState(queueState({}, t0, 0));
    const RecordedId id{shop.key, {"reliable-list", "jobs"}};
    for (const auto& [seconds, value] : {std::pair(1, 5.0), std::pair(60, 9.0)}) {
        recording.clock.advance(seconds * 1000);
        recording.addSample(id.primitive, "ready", value);
    }
    Reading reading(recording);
    const RecordedSeries series = reading.series(id, "ready", t0 + 10'000, t0 + 61'000, 1000);
    QCOMPARE(series.points.size(), 3U);
    QCOMPARE(series.points[0].tMs, t0 + 10'000); // where the window begins
    QCOMPARE(series.points[0].last, 5.0);
    QCOMPARE(series.points[1].tMs, t0 + 60'999);
    QCOMPARE(series.points[1].last, 5.0);
    QCOMPARE(series.points[2].last, 9.0);
    QCOMPARE(series.stepMs, 0);
    QCOMPARE(reading.metrics(id, t0, t0 + 61'000), QByteArrayList{"ready"});
    QVERIFY(reading.series(id, "delayed", t0, t0 + 61'000, 1000).points.empty());
}

// A session has read and summed up before its recorder is allowed to write.
void TestRecordWriter::whatWasReadBeforeItBeganIsKnownFromThenOn()
{
    Recording recording;
    recording.open();
    const State queue = queueState({}, t0 - 700, 5);
    RecordBatch batch = recording.batch();
    batch.states.push_back({queue.primitive, queue.asOfMs, shared(queue)});
    batch.samples.push_back({queue.primitive->id, "ready", t0 - 700, 5});
    batch.samples.push_back({queue.primitive->id, "ready", t0 - 300, 6});
    recording.add(std::move(batch));
    recording.clock.advance(30'000);
    recording.add(recording.batch()); // nothing has changed
    Reading reading(recording);
    const RecordedId id{shop.key, queue.primitive->id};
    const auto series = reading.series(id, "ready", t0 - 60'000, t0 + 30'000, 100);
    QVERIFY(!series.points.empty());
    QVERIFY(series.points.front().tMs >= t0); // not recorded before that
    QCOMPARE(series.points.back().last, 6.0);
    QVERIFY(std::ranges::none_of(series.points, &RecordedPoint::isGap));
}

void TestRecordWriter::aDeploymentIsKnownByEachOfItsNames()
{
    Recording recording;
    recording.open();
    recording.addState(lockOf("alice", t0));
    recording.close();
    recording.open({"redis:10.0.0.1:6379/0", {}, QStringLiteral("by its address")});
    Reading reading(recording);
    QCOMPARE(reading.deployments().size(), 1U);
    QCOMPARE(reading.find({"redis:nobody:1/0", "redis:10.0.0.1:6379/0"}), shop.key);
    QCOMPARE(reading.momentAt("redis:10.0.0.1:6379/0", t0).states.size(), 1U);
    QCOMPARE(reading.find({"redis:nobody:1/0"}), QByteArray());
}

void TestRecordWriter::eventsAreFoundByTimeAndType()
{
    Recording recording;
    recording.open();
    recording.addState(lockOf("alice", t0));
    RecordBatch batch = recording.batch();
    for (int i = 1; i <= 3; ++i) {
        RecordedEvent event;
        event.tMs = t0 + i * 1000;
        event.type = i == 2 ? EventType::Failover : EventType::Action;
        event.code = "lock.release";
        event.who = QStringLiteral("operator");
        event.text = QStringLiteral("why");
        event.ref = "r1";
        if (i != 2)
            event.primitive = {"set-nx-px", "l"};
        batch.events.push_back(event);
    }
    recording.add(batch);
    Reading reading(recording);
    QCOMPARE(reading.events({.deployment = shop.key}).size(), 3U);
    const auto actions = reading.events({.deployment = shop.key,
                                         .primitive = PrimitiveId{"set-nx-px", "l"},
                                         .types = {EventType::Action}});
    QCOMPARE(actions.size(), 2U);
    QCOMPARE(actions[0].who, QStringLiteral("operator"));
    QCOMPARE(actions[0].ref, QByteArray("r1"));
    QCOMPARE(actions[0].kind, Kind::Lock);
    QCOMPARE(reading.events({.deployment = shop.key, .types = {EventType::Failover}}).size(), 1U);
    const auto last = reading.events({.deployment = shop.key, .limit = 1, .latest = true});
    QCOMPARE(last[0].tMs, t0 + 3000);
    QCOMPARE(reading.nextEvent(shop.key, t0 + 1000, {})->tMs, t0 + 2000);
    QCOMPARE(reading.nextEvent(shop.key, t0 + 1000, {EventType::Action})->tMs, t0 + 3000);
    QCOMPARE(reading.previousEvent(shop.key, t0 + 2000, {})->tMs, t0 + 1000);
    QVERIFY(!reading.previousEvent(shop.key, t0 + 1000, {}));
}

void TestRecordWriter::holdsGrow()
{
    Recording recording;
    recording.open();
    recording.addState(lockOf("alice", t0));
    RecordedHold hold{{"alice", t0, t0, t0 + 30'000, false, true, true, true, 0},
                      {"set-nx-px", "l"}};
    for (int i = 0; i < 3; ++i) {
        RecordBatch batch = recording.batch();
        hold.toMs = t0 + i * 1000;
        hold.renewals = i;
        hold.open = i < 2;
        batch.holds = {hold};
        recording.add(batch);
        Reading reading(recording);
        QCOMPARE(reading.openHolds(shop.key).size(), i < 2 ? 1U : 0U);
    }
    Reading reading(recording);
    const auto holds = reading.holds({shop.key, hold.primitive}, t0 + 500, t0 + 9000);
    QCOMPARE(holds.size(), 1U);
    QCOMPARE(holds[0].owner, QByteArray("alice"));
    QCOMPARE(holds[0].toMs, t0 + 2000);
    QCOMPARE(holds[0].renewals, 2);
    QVERIFY(!holds[0].open && holds[0].fromKnown && holds[0].endKnown);
    QVERIFY(reading.holds({shop.key, hold.primitive}, t0 + 2001, t0 + 9000).empty());
}

namespace {

RecordBatch findingBatch(const Recording& recording, qint64 sinceMs,
                         std::optional<qint64> closedMs = {})
{
    RecordBatch batch = recording.batch();
    FindingChange change;
    change.finding.sinceMs = sinceMs;
    change.finding.primitive = {"set-nx-px", "l"};
    change.finding.finding.code = "lock-without-ttl";
    change.finding.finding.severity = Finding::Severity::Error;
    change.finding.finding.name = "l";
    change.finding.finding.key = "l";
    change.finding.finding.kind = Kind::Lock;
    change.finding.finding.message = QStringLiteral("no TTL");
    change.closedMs = closedMs;
    batch.findings = {change};
    return batch;
}

} // namespace

void TestRecordWriter::findingsAreThereWhileTheyAreOpen()
{
    Recording recording;
    recording.open();
    recording.addState(lockOf("alice", t0));
    recording.add(findingBatch(recording, t0 + 1000));
    recording.add(findingBatch(recording, t0 + 1000, t0 + 5000));
    Reading reading(recording);
    QVERIFY(reading.momentAt(shop.key, t0 + 999).findings.empty());
    const auto open = reading.momentAt(shop.key, t0 + 1000).findings;
    QCOMPARE(open.size(), 1U);
    QCOMPARE(open[0].finding.code, QByteArray("lock-without-ttl"));
    QCOMPARE(open[0].primitive.name, QByteArray("l"));
    QVERIFY(reading.momentAt(shop.key, t0 + 5000).findings.empty());
    const auto closed =
        reading.events({.deployment = shop.key, .types = {EventType::FindingClosed}});
    QCOMPARE(closed.size(), 1U);
    QCOMPARE(closed[0].value, 4000.0);
}

void TestRecordWriter::aFindingLastsAcrossRecorders()
{
    Recording recording;
    recording.open();
    recording.addState(lockOf("alice", t0));
    recording.add(findingBatch(recording, t0 + 1000));
    recording.close();
    recording.clock.advance(10'000);
    recording.open();
    recording.addState(lockOf("alice", t0 + 10'000));
    recording.add(findingBatch(recording, t0 + 10'000)); // found again: it is the same
    {
        Reading reading(recording);
        QCOMPARE(reading.momentAt(shop.key, t0 + 10'000).findings.at(0).sinceMs, t0 + 1000);
        QCOMPARE(
            reading.events({.deployment = shop.key, .types = {EventType::FindingOpened}}).size(),
            1U);
    }
    recording.close();
    recording.open();
    recording.clock.advance(70'000); // this time it is not found
    RecordBatch batch = recording.batch();
    batch.events.push_back({.tMs = recording.clock.nowMs(), .type = EventType::ServerBack});
    recording.add(batch);
    Reading reading(recording);
    QVERIFY(reading.momentAt(shop.key, recording.clock.nowMs()).findings.empty());
}

void TestRecordWriter::blindnessIsTold()
{
    Recording recording;
    recording.open();
    recording.addState(lockOf("alice", t0));
    recording.clock.advance(10'000);
    recording.addState(lockOf("bob", t0 + 10'000));
    recording.writer->end(shop.key, GapReason::Paused);
    recording.clock.advance(50'000);
    recording.writer->begin(shop, recording.clock.nowMs());
    recording.addState(lockOf("carol", t0 + 60'000));
    Reading reading(recording);
    const auto gaps = reading.gaps(shop.key, t0 - 1000, t0 + 60'000);
    QCOMPARE(gaps.size(), 2U);
    QCOMPARE(gaps[0].reason, GapReason::None);
    QCOMPARE(gaps[0].toMs, t0);
    QCOMPARE(gaps[1].reason, GapReason::Paused);
    QCOMPARE(gaps[1].fromMs, t0 + 10'000);
    QCOMPARE(gaps[1].toMs, t0 + 60'000);
    const RecordedMoment moment = reading.momentAt(shop.key, t0 + 30'000);
    QVERIFY(moment.blind);
    QCOMPARE(moment.blind->fromMs, t0 + 10'000);
    QCOMPARE(moment.states.at(0).state->as<LockState>()->owner, QByteArray("bob"));
    // A number is not held through it.
    recording.addSample({"set-nx-px", "l"}, "held", 1);
    recording.writer->end(shop.key, GapReason::Stopped);
    recording.clock.advance(50'000);
    recording.writer->begin(shop, recording.clock.nowMs());
    recording.addSample({"set-nx-px", "l"}, "held", 1);
    const RecordedSeries series =
        reading.series({shop.key, {"set-nx-px", "l"}}, "held", t0, t0 + 120'000, 100);
    QVERIFY(std::any_of(series.points.begin(), series.points.end(),
                        [](const RecordedPoint& p) { return p.isGap(); }));
}

void TestRecordWriter::anIdleDeploymentWritesNothing()
{
    Recording recording;
    recording.open();
    recording.addState(lockOf("alice", t0));
    QSignalSpy problems(recording.writer.get(), &RecordWriter::problem);
    const QFileInfo log(recording.path() + QStringLiteral("-wal"));
    const qint64 before = log.size();
    for (int i = 0; i < 10; ++i)
        recording.writer->flush();
    QCOMPARE(QFileInfo(log.filePath()).size(), before);
    QCOMPARE(problems.size(), 0);
}

// As when a hundred thousand primitives are told anew, and go on changing meanwhile.
void TestRecordWriter::muchAtOnceIsWrittenAndNotDropped()
{
    Recording recording;
    recording.open();
    recording.addState(queueState({}, t0, 0));
    const PrimitiveId id{"reliable-list", "jobs"};
    RecordBatch many = recording.batch();
    for (qint64 i = 0; i <= RecordWriter::mostWaiting; ++i)
        many.samples.push_back({id, "ready", t0 + i % 1000, double(i % 7)});
    recording.writer->add(std::make_shared<RecordBatch>(std::move(many)));
    RecordBatch one = recording.batch();
    State lock = lockOf("alice", t0 + 1000);
    one.states.push_back({lock.primitive, t0 + 1000, shared(lock)});
    recording.writer->add(std::make_shared<RecordBatch>(std::move(one)));
    recording.writer->flush();
    Reading reading(recording);
    QCOMPARE(reading.momentAt(shop.key, t0 + 1000).states.size(), 2U);
}

LK_TEST(TestRecordWriter);
#include "tst_recordwriter.moc"
