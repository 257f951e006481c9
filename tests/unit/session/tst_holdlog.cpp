// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/holdlog.h"
#include "tests/support/handles.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

class TestHoldLog : public QObject
{
    Q_OBJECT

private slots:
    void followsOneHold();
    void aReleaseEndsTheHold();
    void aLeaseThatEndedSaysWhen();
    void anotherOwnerEndsTheHold();
    void anOutageDoesNotSplitTheSameHold();
    void anOutageEndsAHoldThatRanOut();
    void aRenewalThatNobodySawSplitsTheHold();
    void aReleaseThatNobodySawHasNoMoment();
    void aPauseIsASilence();
    void anExpiredLockHasNoHolder();
    void locksWithoutTtlHaveNoEnd();
    void carriesRenewals();
    void ignoresWhatIsNoNews();
    void keepsTheLastHoldsOfALock();
    void keepsTheLocksSeenLast();
    void forgets();
    void eachOfSeveralHasAHoldOfItsOwn();
    void whoIsNotReadMayHoldItStill();
    void memoryAndRecordingAreOne_data();
    void memoryAndRecordingAreOne();
};

void TestHoldLog::memoryAndRecordingAreOne_data()
{
    QTest::addColumn<std::vector<Hold>>("recorded");
    QTest::addColumn<std::vector<Hold>>("memory");
    QTest::addColumn<QByteArray>("all"); // owner, from, to; ~: the end was not seen
    const auto hold = [](const char* owner, qint64 fromMs, qint64 toMs, bool open = false) {
        Hold made;
        made.owner = owner;
        made.fromMs = fromMs;
        made.toMs = toMs;
        made.open = open;
        made.fromKnown = true;
        return made;
    };
    const auto unseen = [](Hold made) {
        made.endKnown = false;
        return made;
    };
    const auto begun = [](Hold made) {
        made.fromKnown = false;
        return made;
    };
    using Holds = std::vector<Hold>;
    const auto row = [](const char* name, Holds recorded, Holds memory, const char* all) {
        QTest::newRow(name) << std::move(recorded) << std::move(memory) << QByteArray(all);
    };
    row("memory alone", {}, {hold("a", 1, 2)}, "a 1-2");
    row("the recording alone", {hold("a", 1, 2)}, {}, "a 1-2");
    row("before memory begins", {hold("a", 1, 2)}, {hold("b", 3, 4)}, "a 1-2, b 3-4");
    row("in a hole of memory", {hold("b", 30, 40), hold("c", 50, 60)},
        {unseen(hold("a", 1, 20)), hold("d", 90, 95, true)},
        "a 1-20~, b 30-40, c 50-60, d 90-95 open");
    row("its end was in the hole", {hold("a", 1, 30)}, {unseen(hold("a", 1, 20))}, "a 1-30");
    row("its begin was in the hole", {hold("b", 30, 40, true)}, {begun(hold("b", 35, 50))},
        "b 30-50");
    row("one across the hole", {hold("a", 1, 90, true)},
        {unseen(hold("a", 1, 20)), begun(hold("a", 80, 95, true))}, "a 1-95 open");
    row("two owners at once", {hold("a", 1, 9), hold("b", 2, 8)}, {hold("a", 1, 9)},
        "a 1-9, b 2-8");
}

void TestHoldLog::memoryAndRecordingAreOne()
{
    QFETCH(const std::vector<Hold>, recorded);
    QFETCH(const std::vector<Hold>, memory);
    QFETCH(const QByteArray, all);
    QByteArrayList seen;
    for (const Hold& hold : mergedHolds(recorded, memory)) {
        QVERIFY(hold.fromKnown);
        seen << hold.owner + ' ' + QByteArray::number(hold.fromMs) + '-' +
                    QByteArray::number(hold.toMs) + (hold.endKnown ? "" : "~") +
                    (hold.open ? " open" : "");
    }
    QCOMPARE(seen.join(", "), all);
}

void TestHoldLog::followsOneHold()
{
    HoldLog log;
    QVERIFY(log.holds(1_h).empty());
    log.append(1_h, lockState("a", 5000, 1000));
    log.append(1_h, lockState("a", 4750, 1250));
    const std::vector<Hold> holds = log.holds(1_h);
    QCOMPARE(holds.size(), 1U);
    QCOMPARE(holds[0].owner, QByteArray("a"));
    QCOMPARE(holds[0].fromMs, 1000);
    QCOMPARE(holds[0].toMs, 1250);
    QCOMPARE(holds[0].leaseEndMs, std::optional<qint64>(6000));
    QVERIFY(holds[0].open);
    QVERIFY(!holds[0].fromKnown); // it was held before anybody looked
}

void TestHoldLog::aReleaseEndsTheHold()
{
    HoldLog log;
    log.append(1_h, freeLock(1000));
    log.append(1_h, lockState("a", 5000, 2000));
    log.append(1_h, freeLock(2500));
    log.append(1_h, lockState("b", 5000, 3000));
    const std::vector<Hold> holds = log.holds(1_h);
    QCOMPARE(holds.size(), 2U);
    QVERIFY(holds[0].fromKnown && holds[1].fromKnown);
    QVERIFY(!holds[0].open);
    QCOMPARE(holds[0].toMs, 2500);
    QVERIFY(holds[1].open);
    QCOMPARE(holds[1].fromMs, 3000);
}

void TestHoldLog::aLeaseThatEndedSaysWhen()
{
    HoldLog log;
    log.append(1_h, lockState("a", 300, 1000));
    log.append(1_h, freeLock(1500)); // seen late: the lease had ended at 1300
    QCOMPARE(log.holds(1_h)[0].toMs, 1300);
}

void TestHoldLog::anotherOwnerEndsTheHold()
{
    HoldLog log;
    log.append(1_h, lockState("a", 5000, 1000));
    log.append(1_h, lockState("b", 5000, 1250));
    const std::vector<Hold> holds = log.holds(1_h);
    QCOMPARE(holds.size(), 2U);
    QVERIFY(!holds[0].open);
    QCOMPARE(holds[0].toMs, 1250);
    QCOMPARE(holds[1].owner, QByteArray("b"));
    QVERIFY(holds[1].fromKnown);
}

void TestHoldLog::anOutageDoesNotSplitTheSameHold()
{
    HoldLog log;
    log.append(1_h, lockState("a", 60'000, 1000));
    log.append(1_h, lockState("a", 40'000, 21'000));
    QCOMPARE(log.holds(1_h).size(), 1U);
    QCOMPARE(log.holds(1_h)[0].toMs, 21'000);
}

void TestHoldLog::anOutageEndsAHoldThatRanOut()
{
    HoldLog log;
    log.append(1_h, lockState("a", 2000, 1000));
    log.append(1_h, lockState("b", 2000, 60'000));
    QCOMPARE(log.holds(1_h)[0].toMs, 3000);
    QCOMPARE(log.holds(1_h)[1].fromMs, 60'000);
}

void TestHoldLog::aRenewalThatNobodySawSplitsTheHold()
{
    HoldLog log;
    log.append(1_h, lockState("a", 30'000, 1000), 2000);
    log.append(1_h, lockState("a", 10'000, 21'000), 2000); // the same lease: held all the time
    QCOMPARE(log.holds(1_h).size(), 1U);
    log.append(1_h, lockState("a", 30'000, 41'000), 2000); // renewed, or taken anew: who knows
    const std::vector<Hold> holds = log.holds(1_h);
    QCOMPARE(holds.size(), 2U);
    QCOMPARE(holds[0].toMs, 21'000);
    QVERIFY(!holds[0].open && !holds[0].endKnown);
    QCOMPARE(holds[1].fromMs, 41'000);
    QVERIFY(holds[1].open && !holds[1].fromKnown);
}

void TestHoldLog::aReleaseThatNobodySawHasNoMoment()
{
    HoldLog log;
    log.append(1_h, lockState("a", std::nullopt, 1000), 2000);
    log.append(1_h, freeLock(60'000), 2000);
    const Hold hold = log.holds(1_h).front();
    QCOMPARE(hold.toMs, 1000); // not: held until 60 s, when it was seen free
    QVERIFY(!hold.open && !hold.endKnown);
}

void TestHoldLog::aPauseIsASilence()
{
    HoldLog log;
    log.append(1_h, lockState("a", std::nullopt, 1000));
    log.gapAll();
    log.append(1_h, lockState("a", std::nullopt, 1250));
    QCOMPARE(log.holds(1_h).size(), 2U);
    QVERIFY(!log.holds(1_h)[1].fromKnown);
    log.append(1_h, lockState("a", std::nullopt, 1500));
    QCOMPARE(log.holds(1_h).size(), 2U);
}

void TestHoldLog::anExpiredLockHasNoHolder()
{
    HoldLog log;
    log.append(1_h, lockState({}, 1000, 1000));
    log.append(1_h, expiredLock(2500));
    log.append(1_h, expiredLock(9000));
    QCOMPARE(log.holds(1_h).size(), 1U);
    QVERIFY(!log.holds(1_h)[0].open);
    QCOMPARE(log.holds(1_h)[0].toMs, 2000);
    log.append(1_h, lockState({}, 1000, 9500)); // somebody took it over
    QCOMPARE(log.holds(1_h).size(), 2U);
    QCOMPARE(log.holds(1_h)[1].fromMs, 9500);
    QVERIFY(log.holds(1_h)[1].open);
}

void TestHoldLog::locksWithoutTtlHaveNoEnd()
{
    HoldLog log;
    log.append(1_h, lockState("a", std::nullopt, 1000));
    QVERIFY(log.holds(1_h)[0].noTtl);
    QVERIFY(!log.holds(1_h)[0].leaseEndMs);
    log.append(1_h, lockState("a", 700, 2000)); // somebody gave it a TTL
    QVERIFY(!log.holds(1_h)[0].noTtl);
    QCOMPARE(log.holds(1_h)[0].leaseEndMs, std::optional<qint64>(2700));
    QCOMPARE(log.holds(1_h).size(), 1U);
}

void TestHoldLog::carriesRenewals()
{
    HoldLog log;
    State state = lockState("a", 5000, 1000);
    state.observed.renewals = 3;
    log.append(1_h, state);
    QCOMPARE(log.holds(1_h)[0].renewals, 3);
}

void TestHoldLog::ignoresWhatIsNoNews()
{
    HoldLog log;
    log.append(1_h, lockState("a", 5000, 1000));
    log.append(1_h, lockState("b", 5000, 1000)); // of the same moment
    log.append(1_h, lockState("c", 5000, 500));  // of an earlier one
    log.append(1_h, problemState(madePrimitive(Kind::Lock, "set-nx-px", "l"), 2000,
                                 {ErrorCode::NoPerm, {}}));
    log.append(2_h, queueState({}, 1000));
    QCOMPARE(log.holds(1_h).size(), 1U);
    QCOMPARE(log.holds(1_h)[0].owner, QByteArray("a"));
    QVERIFY(log.holds(1_h)[0].open);
    QVERIFY(log.holds(2_h).empty());
}

void TestHoldLog::keepsTheLastHoldsOfALock()
{
    HoldLog log;
    for (int i = 0; i < 200; ++i)
        log.append(1_h, lockState(QByteArray::number(i), 5000, 1000 + i));
    const std::vector<Hold> holds = log.holds(1_h);
    QCOMPARE(holds.size(), 64U);
    QCOMPARE(holds.front().owner, QByteArray("136"));
    QCOMPARE(holds.back().owner, QByteArray("199"));
}

void TestHoldLog::keepsTheLocksSeenLast()
{
    HoldLog log;
    for (quint32 h = 0; h < 2000; ++h)
        log.append(Handle(h), lockState("a", 5000, 1000 + h));
    log.append(0_h, lockState("a", 5000, 10'000)); // seen again
    log.append(2000_h, lockState("a", 5000, 10'001));
    QVERIFY(!log.holds(0_h).empty());
    QVERIFY(log.holds(1_h).empty()); // the one not seen for longest
    QVERIFY(!log.holds(2_h).empty());
    QVERIFY(!log.holds(2000_h).empty());
}

void TestHoldLog::forgets()
{
    HoldLog log;
    log.append(1_h, lockState("a", 5000, 1000));
    log.append(2_h, lockState("a", 5000, 1000));
    log.forget(1_h);
    QVERIFY(log.holds(1_h).empty());
    QVERIFY(!log.holds(2_h).empty());
}

void TestHoldLog::eachOfSeveralHasAHoldOfItsOwn()
{
    HoldLog log;
    log.append(1_h, freeLock(500));
    log.append(1_h, sharedLock({{"a", 30'000}}, 1000));
    log.append(1_h, sharedLock({{"a", 22'000}, {"b", 30'000}}, 9000));
    log.append(1_h, sharedLock({{"b", 25'000}}, 14'000));
    std::vector<Hold> holds = log.holds(1_h);
    QCOMPARE(holds.size(), 2U);
    QCOMPARE(holds[0].owner, QByteArray("a"));
    QCOMPARE(holds[0].fromMs, 1000);
    QCOMPARE(holds[0].toMs, 14'000);
    QVERIFY(!holds[0].open && holds[0].endKnown);
    QCOMPARE(holds[1].owner, QByteArray("b"));
    QCOMPARE(holds[1].fromMs, 9000);
    QVERIFY(holds[1].open && holds[1].fromKnown);
    QCOMPARE(holds[1].renewals, 0);
    log.append(1_h, sharedLock({{"b", 30'000}}, 15'000));
    holds = log.holds(1_h);
    QCOMPARE(holds.size(), 2U);
    QCOMPARE(holds[1].renewals, 1);
    QCOMPARE(holds[1].leaseEndMs, std::optional<qint64>(45'000));
    log.append(1_h, freeLock(16'000));
    QVERIFY(!log.holds(1_h)[1].open);
}

// A semaphore with more holders than are read.
void TestHoldLog::whoIsNotReadMayHoldItStill()
{
    HoldLog log;
    log.append(1_h, freeLock(500));
    State many = sharedLock({{"a", 30'000}, {"b", 30'000}}, 1000);
    many.body.get<LockState>().holdersTotal = 100;
    log.append(1_h, many);
    many = sharedLock({{"b", 29'000}, {"c", 30'000}}, 2000);
    many.body.get<LockState>().holdersTotal = 100;
    log.append(1_h, many);
    const std::vector<Hold> holds = log.holds(1_h);
    QCOMPARE(holds.size(), 3U);
    QVERIFY(!holds[0].open && !holds[0].endKnown);
    QVERIFY(!holds[2].fromKnown);
}

LK_TEST(TestHoldLog);
#include "tst_holdlog.moc"
