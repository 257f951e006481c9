// SPDX-License-Identifier: GPL-3.0-or-later
// Who held a lock, as it is recorded and told afterwards, however often it changes hands.
#include "backend/session/past/timeline.h"
#include "backend/session/recording/recordfeed.h"
#include "tests/support/testprogram.h"
#include "tests/unit/recordings.h"

using namespace lk;
using namespace lk::test;

namespace {

const PrimitiveId lockId{"set-nx-px", "l"};

/// A lock that is read each second, and recorded.
struct Watched
{
    Watched()
    {
        recording.writer = std::make_unique<RecordWriter>(
            RecordWriter::Setup{recording.path(), recording.retention, &recording.clock});
        feed = std::make_unique<RecordFeed>(recording.writer.get());
        feed->begin(shop, nowMs());
    }
    qint64 nowMs() const { return recording.clock.nowMs(); }
    /// Holds the lock for so many seconds; it is free if the owner is empty.
    void hold(const QByteArray& owner, int seconds)
    {
        take(owner.isEmpty() ? freeLock(nowMs()) : lockState(owner, 600'000, nowMs()), owner,
             seconds);
    }
    void read(const std::vector<std::pair<QByteArray, qint64>>& readers, int seconds)
    {
        take(sharedLock(readers, nowMs()), readers.size() == 1 ? readers[0].first : "", seconds);
    }
    void take(State state, const QByteArray& owner, int seconds)
    {
        const bool changed = std::exchange(last, owner) != owner;
        sinceMs = changed ? nowMs() : sinceMs;
        state.observed.sinceMs = sinceMs;
        auto changes = std::make_shared<std::vector<StateChange>>();
        changes->push_back({Handle(0, 1), shared(std::move(state))});
        feed->takeChanges(changes, nowMs());
        for (int i = 0; i < seconds; ++i) { // what does not change is not told again
            recording.clock.advance(1000);
            feed->tick(nowMs());
        }
        recording.writer->flush();
    }
    void handOver(int from, int to, int seconds)
    {
        for (int i = from; i <= to; ++i)
            hold("owner-" + QByteArray::number(i), seconds);
    }
    void stop() const
    {
        feed->end(GapReason::Stopped);
        recording.writer->flush();
    }
    RecordedLife life() const
    {
        Reading reading(recording);
        return readLife(reading, {shop.key, lockId}, 0, nowMs());
    }
    QStringList owners() const
    {
        QStringList all;
        for (const RecordedHold& hold : life().holds)
            all << QString::fromLatin1(hold.owner);
        return all;
    }
    QStringList told() const
    {
        QStringList all;
        for (const TimelineEntry& line : lifeOf(life()))
            all << line.text;
        return all;
    }
    qint64 omitted() const
    {
        qint64 count = 0;
        for (const RecordedEvent& event : life().events) {
            if (event.type == EventType::HoldsOmitted)
                count += qint64(event.value);
        }
        return count;
    }

    Recording recording;
    std::unique_ptr<RecordFeed> feed;
    QByteArray last;
    qint64 sinceMs = 0;
};

} // namespace

class TestLockHolds : public QObject
{
    Q_OBJECT

private slots:
    void aLongHoldIsToldWhateverCameBefore();
    void whoeverTookItIsNamedOrCounted();
    void aHoldIsToldWhenItHasLasted();
    void aHoldThatIsReadOnceIsToldByItsEnd();
    void howOftenItIsToldIsBounded();
    void nothingIsLeftUntoldAtTheEnd();
    void letGoAndTakenAgainBetweenTwoReadsIsTwoHolds();
    void eachReaderHasAHoldOfItsOwn();
    void twoThatTakeItAtOnceAreBothRecorded();
    void aWriterTakesItOverFromReaders();
    void aSemaphoreThatIsPassedOnIsNotAnyonesAlone();
};

// It changes hands every two seconds for more than a minute, then somebody keeps it.
void TestLockHolds::aLongHoldIsToldWhateverCameBefore()
{
    Watched lock;
    lock.hold({}, 1);
    lock.handOver(1, 35, 2);
    lock.hold("keeper", 39);
    const RecordedLife life = lock.life();
    QCOMPARE(life.holds.size(), 21U);
    QCOMPARE(life.holds.back().owner, QByteArray("keeper"));
    QVERIFY(life.holds.back().open && life.holds.back().fromKnown);
    QVERIFY(life.holds.back().toMs - life.holds.back().fromMs >= 38'000);
    QCOMPARE(lock.omitted(), 15);
    // And what is held is known to who begins to watch.
    Reading reading(lock.recording);
    const auto open = reading.openHolds(shop.key);
    QCOMPARE(open.size(), 1U);
    QCOMPARE(open[0].owner, QByteArray("keeper"));
}

void TestLockHolds::whoeverTookItIsNamedOrCounted()
{
    Watched lock;
    lock.hold({}, 1);
    lock.handOver(1, 35, 2);
    lock.hold("keeper", 10);
    const QStringList told = lock.told();
    const auto lineOf = [&](const char* owner) {
        const QString begin = QStringLiteral("held by %1 ").arg(QString::fromLatin1(owner));
        return told.filter(QRegularExpression(QLatin1Char('^') + begin)).value(0);
    };
    QCOMPARE(lineOf("owner-1"), QStringLiteral("held by owner-1 for 2 s; taken over by owner-2"));
    QCOMPARE(lineOf("owner-20"),
             QStringLiteral("held by owner-20 for 2 s; taken over by owner-21"));
    QVERIFY2(told.contains(QStringLiteral("15 shorter hold(s) not listed")),
             qPrintable(told.join(QLatin1Char('\n'))));
    QVERIFY(lineOf("keeper").endsWith(QStringLiteral("still held when last seen")));
    QVERIFY(told.filter(QStringLiteral("released")).isEmpty());
}

void TestLockHolds::aHoldIsToldWhenItHasLasted()
{
    Watched lock;
    lock.handOver(1, 25, 1);
    lock.hold("keeper", 3);
    QVERIFY(!lock.owners().contains(QStringLiteral("keeper")));
    lock.hold("keeper", 3);
    QCOMPARE(lock.owners().last(), QStringLiteral("keeper"));
    lock.hold({}, 1);
    const RecordedHold last = lock.life().holds.back();
    QVERIFY(!last.open && last.endKnown && !last.takenOver);
    QCOMPARE(last.toMs - last.fromMs, 6000);
}

// As where it is not on a screen, and read now and then.
void TestLockHolds::aHoldThatIsReadOnceIsToldByItsEnd()
{
    LockHolds holds;
    RecordBatch batch;
    qint64 lastMs = 0;
    const auto read = [&](const QByteArray& owner, qint64 atMs) {
        State state = lockState(owner, 600'000, atMs);
        state.observed.sinceMs = atMs;
        holds.read(lockId, state, *state.as<LockState>(), std::exchange(lastMs, atMs), batch);
    };
    qint64 nowMs = Recording::startMs;
    for (int i = 0; i < 30; ++i, nowMs += 1000)
        read("owner-" + QByteArray::number(i), nowMs);
    batch = {};
    read("slow", nowMs);
    read("next", nowMs + 20'000);
    QCOMPARE(batch.holds.size(), 1U);
    QCOMPARE(batch.holds[0].owner, QByteArray("slow"));
    QCOMPARE(batch.holds[0].toMs - batch.holds[0].fromMs, 20'000);
    QVERIFY(batch.holds[0].takenOver);
}

// An hour of a second each.
void TestLockHolds::howOftenItIsToldIsBounded()
{
    Watched lock;
    lock.handOver(1, 3600, 1);
    const RecordedLife life = lock.life();
    QVERIFY2(life.holds.size() >= 45 && life.holds.size() <= 52,
             QByteArray::number(life.holds.size()).constData());
    QVERIFY2(life.events.size() <= 130, QByteArray::number(life.events.size()).constData());
    // Each is listed or counted, but the one that goes on and those of the last minute.
    const qint64 known = qint64(life.holds.size()) + lock.omitted();
    QVERIFY2(known >= 3530 && known <= 3600, QByteArray::number(known).constData());
    QVERIFY(lifeOf(life).size() <= 60);
}

void TestLockHolds::nothingIsLeftUntoldAtTheEnd()
{
    Watched lock;
    lock.handOver(1, 40, 1);
    lock.stop();
    QCOMPARE(lock.owners().size() + lock.omitted(), 40);
    QCOMPARE(lock.owners().last(), QStringLiteral("owner-40"));
    QVERIFY(lock.life().holds.back().open);
}

void TestLockHolds::letGoAndTakenAgainBetweenTwoReadsIsTwoHolds()
{
    Watched lock;
    lock.hold("a", 10);
    lock.sinceMs = lock.nowMs() - 300;
    lock.hold("a", 10);
    const RecordedLife life = lock.life();
    QCOMPARE(life.holds.size(), 2U);
    QCOMPARE(life.holds[0].toMs, life.holds[1].fromMs);
    QVERIFY(!life.holds[0].takenOver);
}

// One holds it for 13 seconds; another joins after 8, and is let go later.
void TestLockHolds::eachReaderHasAHoldOfItsOwn()
{
    Watched lock;
    lock.hold({}, 1);
    lock.read({{"a", 30'000}}, 8);
    lock.read({{"a", 22'000}, {"b", 30'000}}, 5);
    lock.read({{"b", 25'000}}, 20);
    lock.hold({}, 1);
    QCOMPARE(lock.told().filter(QStringLiteral("held by")),
             (QStringList{QStringLiteral("held by a for 13 s, released"),
                          QStringLiteral("held by b for 25 s, released")}));
}

void TestLockHolds::twoThatTakeItAtOnceAreBothRecorded()
{
    Watched lock;
    lock.hold({}, 1);
    lock.read({{"a", 30'000}, {"b", 30'000}}, 10);
    QCOMPARE(lock.owners(), (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
    for (const RecordedHold& hold : lock.life().holds)
        QVERIFY(hold.open && hold.fromKnown);
    Reading reading(lock.recording);
    QCOMPARE(reading.openHolds(shop.key).size(), 2U);
}

void TestLockHolds::aWriterTakesItOverFromReaders()
{
    Watched lock;
    lock.hold({}, 1);
    lock.read({{"a", 30'000}}, 10);
    lock.hold("writer", 10);
    QCOMPARE(lock.told().filter(QRegularExpression(QStringLiteral("^held by a "))),
             QStringList{QStringLiteral("held by a for 10 s; taken over by writer")});
}

void TestLockHolds::aSemaphoreThatIsPassedOnIsNotAnyonesAlone()
{
    Watched lock;
    lock.hold({}, 1);
    lock.read({{"a", 60'000}, {"b", 60'000}}, 10);
    lock.read({{"b", 50'000}, {"c", 60'000}}, 10);
    lock.read({{"c", 50'000}}, 10);
    QCOMPARE(lock.told().filter(QStringLiteral("held by")),
             (QStringList{QStringLiteral("held by a for 10 s, released"),
                          QStringLiteral("held by b for 20 s, released"),
                          QStringLiteral("held by c for 20 s, still held when last seen")}));
}

LK_TEST(TestLockHolds);
#include "tst_lockholds.moc"
