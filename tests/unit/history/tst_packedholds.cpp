// SPDX-License-Identifier: GPL-3.0-or-later
// Who held a lock stays known exactly when holds become blocks, and where masses change, numbers
// do, too.
#include "backend/history/store/codec/framereduce.h"
#include "backend/history/store/codec/holdcodec.h"
#include "backend/history/store/recordfile.h"
#include "tests/support/testprogram.h"
#include "tests/unit/recordings.h"

#include <QSqlQuery>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 t0 = Recording::startMs;
const PrimitiveId lockId{"set-nx-px", "l"};
const RecordedId recordedLock{shop.key, lockId};

RecordedHold held(const QByteArray& owner, qint64 fromMs, qint64 toMs)
{
    RecordedHold hold;
    hold.primitive = lockId;
    hold.owner = owner;
    hold.fromMs = fromMs;
    hold.toMs = toMs;
    hold.leaseEndMs = toMs + 1234;
    hold.fromKnown = hold.takenOver = true;
    hold.renewals = qint32(toMs % 5);
    return hold;
}

bool isSame(const RecordedHold& a, const RecordedHold& b)
{
    return a.primitive == b.primitive && a.owner == b.owner && a.fromMs == b.fromMs &&
           a.toMs == b.toMs && a.leaseEndMs == b.leaseEndMs && a.noTtl == b.noTtl &&
           a.open == b.open && a.fromKnown == b.fromKnown && a.endKnown == b.endKnown &&
           a.renewals == b.renewals && a.shared == b.shared && a.takenOver == b.takenOver;
}

int count(const Recording& recording, const char* sql)
{
    RecordFile file(recording.path());
    QTest::qVerify(file.open(RecordFile::Access::Read).has_value(), "it opens", "", __FILE__,
                   __LINE__);
    QSqlQuery query(file.db());
    return query.exec(QLatin1String(sql)) && query.next() ? query.value(0).toInt() : -1;
}

/// Two hours of a lock that changes hands each twenty seconds, one of which in each minute is only
/// counted; one holds it for an hour before, and one for eight.
struct Watched
{
    Watched()
    {
        recording.open();
        recording.addState(lockState("a", 30'000, t0));
        add(held("hours", t0 - 8 * Retention::hour, t0));
        add(held("an hour", t0, t0 + Retention::hour));
        for (int i = 0; i < 360; ++i) {
            const qint64 fromMs = t0 + Retention::hour + i * 20'000 + i % 7;
            if (i % 3 == 2)
                addOmitted(fromMs, i);
            else
                add(held("owner-" + QByteArray::number(i % 10), fromMs, fromMs + 19'000));
        }
        RecordedHold unseen = held("unseen", t0 + Retention::hour, t0 + Retention::hour + 5000);
        unseen.endKnown = false;
        add(unseen);
        RecordedHold last = held("last", t0 + 3 * Retention::hour, t0 + 3 * Retention::hour + 5000);
        last.open = true;
        add(last);
    }
    void add(const RecordedHold& hold)
    {
        told.push_back(hold);
        RecordBatch batch = recording.batch();
        batch.holds.push_back(hold);
        recording.add(std::move(batch));
    }
    void addOmitted(qint64 atMs, int i)
    {
        RecordedEvent event;
        event.tMs = atMs;
        event.type = EventType::HoldsOmitted;
        event.primitive = lockId;
        event.kind = Kind::Lock;
        event.value = i;
        event.code = "short-" + QByteArray::number(i % 4);
        event.detail = QString::number(atMs + 4000);
        omitted.push_back(event);
        RecordBatch batch = recording.batch();
        batch.events.push_back(event);
        recording.add(std::move(batch));
    }
    /// As the timer would age it.
    void age(qint64 ms)
    {
        for (qint64 leftMs = ms; leftMs > 0; leftMs -= Retention::hour) {
            recording.clock.advance(std::min(leftMs, Retention::hour));
            recording.add(recording.batch());
            recording.writer->ageAll();
        }
    }
    std::vector<RecordedHold> expected(qint64 fromMs, qint64 toMs) const
    {
        std::vector<RecordedHold> some;
        std::ranges::copy_if(told, std::back_inserter(some), [&](const RecordedHold& hold) {
            return hold.fromMs <= toMs && (hold.toMs >= fromMs || hold.open);
        });
        std::ranges::stable_sort(some, {}, &RecordedHold::fromMs);
        return some;
    }

    Recording recording;
    std::vector<RecordedHold> told;
    std::vector<RecordedEvent> omitted;
};

} // namespace

class TestPackedHolds : public QObject
{
    Q_OBJECT

private slots:
    void whoHeldItIsAnsweredAsBefore();
    void theLastOnesAreFound();
    void theyGoWithTheirTime();
    void whatIsBrokenAddsNothing();
    void ofMassesStatesAreFurtherApart();
};

void TestPackedHolds::whoHeldItIsAnsweredAsBefore()
{
    Watched lock;
    lock.age(5 * Retention::hour);
    // All but the one of eight hours, the one whose end was not seen, and the open one.
    QCOMPARE(count(lock.recording, "SELECT count(*) FROM hold"), 3);
    QCOMPARE(count(lock.recording, "SELECT count(*) FROM event WHERE type = 13"), 0);
    QVERIFY(count(lock.recording, "SELECT count(*) FROM block WHERE stream = 3") >= 4);
    Reading reading(lock.recording);
    const qint64 hour = Retention::hour;
    const std::pair<qint64, qint64> times[] = {
        {t0 - 9 * hour, t0 + 9 * hour},
        {t0 + hour + 60'000, t0 + hour + 60'000}, // one moment
        {t0 + hour - 1, t0 + hour},
        {t0 + 1800'000, t0 + 1800'001}, // amid the hour of one
        {t0 + 2 * hour, t0 + 2 * hour + 600'000},
        {t0 - 4 * hour, t0 - 3 * hour}};
    for (const auto& [fromMs, toMs] : times) {
        auto holds = reading.holds(recordedLock, fromMs, toMs);
        const auto expected = lock.expected(fromMs, toMs);
        QCOMPARE(holds.size(), expected.size());
        for (size_t i = 0; i < holds.size(); ++i) {
            if (holds[i].open)
                holds[i].toMs = expected[i].toMs; // it is held as long as it is recorded
            QVERIFY2(isSame(holds[i], expected[i]), holds[i].owner.constData());
        }
    }
    const auto all = lock.expected(t0 - 9 * hour, t0 + 9 * hour);
    for (const size_t most : {size_t(1), size_t(5), size_t(100), all.size() - 1, all.size()}) {
        const auto newest = reading.holds(recordedLock, t0 - 9 * hour, t0 + 9 * hour, int(most));
        QCOMPARE(newest.size(), most);
        QVERIFY(std::ranges::equal(newest, std::span(all).last(most), {}, &RecordedHold::fromMs,
                                   &RecordedHold::fromMs));
    }
    QCOMPARE(reading.holds(recordedLock, t0 - 9 * hour, t0 + 9 * hour, 5).back().owner,
             QByteArray("last"));
    const auto events = reading.events(
        {.deployment = shop.key, .primitive = lockId, .types = {EventType::HoldsOmitted}});
    QCOMPARE(events.size(), lock.omitted.size());
    for (size_t i = 0; i < events.size(); ++i) {
        QCOMPARE(events[i].tMs, lock.omitted[i].tMs);
        QCOMPARE(events[i].value, lock.omitted[i].value);
        QCOMPARE(events[i].code, lock.omitted[i].code);
        QCOMPARE(events[i].detail, lock.omitted[i].detail);
    }
    const auto latest = reading.events({.deployment = shop.key,
                                        .primitive = lockId,
                                        .types = {EventType::HoldsOmitted},
                                        .limit = 3,
                                        .latest = true});
    QCOMPARE(latest.size(), 3U);
    QCOMPARE(latest.back().tMs, lock.omitted.back().tMs);
}

// They show how long a lock is usually held.
void TestPackedHolds::theLastOnesAreFound()
{
    Watched lock;
    lock.age(5 * Retention::hour);
    Reading reading(lock.recording);
    const auto all = reading.lastHolds(shop.key, 10'000);
    QCOMPARE(all.size(), lock.told.size() - 2); // without the open one, and the one unseen
    QVERIFY(std::ranges::is_sorted(all, {}, &RecordedHold::toMs));
    const auto some = reading.lastHolds(shop.key, 11);
    QCOMPARE(some.size(), 11U);
    QVERIFY(isSame(some.back(), all.back()));
}

void TestPackedHolds::theyGoWithTheirTime()
{
    Watched lock;
    for (RecordingTier& tier : lock.recording.retention.tiers)
        tier.keepMs = std::min(tier.keepMs, 2 * Retention::day);
    lock.recording.close();
    lock.recording.open();
    lock.age(5 * Retention::hour);
    QVERIFY(count(lock.recording, "SELECT count(*) FROM block WHERE stream = 3") >= 4);
    lock.age(4 * Retention::day);
    QCOMPARE(count(lock.recording, "SELECT count(*) FROM block WHERE stream = 3"), 0);
}

void TestPackedHolds::whatIsBrokenAddsNothing()
{
    std::vector<HoldFrame> frames;
    for (int i = 0; i < 3000; ++i)
        frames.push_back({1 + i / 30, "owner-" + QByteArray::number(i % 7), t0 + i % 30 * 1000,
                          t0 + i % 30 * 1000 + 900, t0 + i, HoldFrame::EndKnown, i % 3});
    const QByteArray block = encodeHolds(frames, t0);
    std::vector<HoldFrame> read;
    QVERIFY(decodeHolds(block, t0, read));
    QCOMPARE(read.size(), frames.size());
    read.clear();
    for (qsizetype size = 0; size < block.size(); size += 7)
        QVERIFY(!decodeHolds(block.left(size), t0, read));
    quint32 noise = 7;
    for (int i = 0; i < 3000; ++i) { // none of these may crash
        noise = noise * 1664525U + 1013904223U;
        QByteArray broken = block;
        const auto at = qsizetype((noise >> 4) % quint32(broken.size()));
        broken[at] = char(broken[at] ^ char(1 + (noise >> 24) % 255));
        decodeHolds(broken, t0, read);
    }
}

// The states of 128 primitives that change all the time. For a few, one state each ten seconds is
// kept.
void TestPackedHolds::ofMassesStatesAreFurtherApart()
{
    std::vector<StateFrame> frames;
    for (int primitive = 1; primitive <= 128; ++primitive) {
        for (int i = 0; i < 180; ++i)
            frames.push_back({primitive, t0 / 600'000 * 600'000 + i * 10'000, "state"});
    }
    constexpr size_t all = 128 * 180;
    QCOMPARE(stepFor(frames, 10'000, all), 10'000);
    QCOMPARE(stepFor(frames, 10'000, all - 1), 30'000);
    QCOMPARE(stepFor(frames, 10'000, all / 6), 60'000);
    QCOMPARE(stepFor(frames, 10'000, all / 30), 300'000);
    QCOMPARE(stepFor(frames, 10'000, 1), 300'000);
    QCOMPARE(stepFor({}, 10'000, 1), 10'000);
}

LK_TEST(TestPackedHolds);
#include "tst_packedholds.moc"
