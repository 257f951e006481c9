// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/derived/observation.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;
using Phase = TokenState::Phase;

class TestObservation : public QObject
{
    Q_OBJECT

private slots:
    void firstSight();
    void renewals_data();
    void renewals();
    void anotherOwnerStartsAnew();
    void aFreeLockKeepsSinceWhen();
    void takingOverAnExpiredLockIsNoRenewal();
    void tokensEnd_data();
    void tokensEnd();
    void aGoneTokenStaysAsItEnded();
    void aTokenMayComeBack();
    void presenceTellsSinceWhen();
    void aPausedQueueTellsSinceWhen();
};

void TestObservation::firstSight()
{
    State held = lockState("a", 5000, 1000);
    observe(held, nullptr);
    QCOMPARE(held.observed.firstSeenMs, 1000);
    QCOMPARE(held.observed.sinceMs, 1000);
    QCOMPARE(held.observed.largestTtlMs, 5000);
    QCOMPARE(held.observed.renewals, 0);
    State absent = freeLock(1000);
    observe(absent, nullptr);
    QCOMPARE(absent.observed.sinceMs, 0);
}

void TestObservation::renewals_data()
{
    QTest::addColumn<qint64>("leaseBefore");
    QTest::addColumn<qint64>("leaseNow");
    QTest::addColumn<qint64>("elapsed");
    QTest::addColumn<int>("renewals");
    QTest::newRow("runs down") << 5000LL << 4000LL << 1000LL << 0;
    QTest::newRow("jitter of the look") << 5000LL << 4100LL << 1000LL << 0;
    QTest::newRow("renewed to the full") << 5000LL << 5000LL << 1000LL << 1;
    QTest::newRow("renewed and run down since") << 5000LL << 4400LL << 1000LL << 1;
    QTest::newRow("shortened") << 5000LL << 100LL << 1000LL << 0;
    QTest::newRow("an outage long") << 5000LL << 3000LL << 60'000LL << 1;
}

void TestObservation::renewals()
{
    QFETCH(qint64, leaseBefore);
    QFETCH(qint64, leaseNow);
    QFETCH(qint64, elapsed);
    State before = lockState("a", leaseBefore, 10'000);
    observe(before, nullptr);
    State now = lockState("a", leaseNow, 10'000 + elapsed);
    observe(now, &before);
    QTEST(int(now.observed.renewals), "renewals");
    QCOMPARE(now.observed.sinceMs, 10'000);
    QCOMPARE(now.observed.firstSeenMs, 10'000);
    QCOMPARE(now.observed.largestTtlMs, now.observed.renewals > 0 ? leaseNow : leaseBefore);
}

void TestObservation::anotherOwnerStartsAnew()
{
    State before = lockState("a", 5000, 1000);
    observe(before, nullptr);
    before.observed.renewals = 7;
    State now = lockState("b", 9000, 2000);
    observe(now, &before);
    QCOMPARE(now.observed.renewals, 0);
    QCOMPARE(now.observed.sinceMs, 2000);
    QCOMPARE(now.observed.largestTtlMs, 9000);
    QCOMPARE(now.observed.firstSeenMs, 1000);
}

void TestObservation::aFreeLockKeepsSinceWhen()
{
    State held = lockState("a", 5000, 1000);
    observe(held, nullptr);
    State freed = freeLock(2000);
    observe(freed, &held);
    QCOMPARE(freed.observed.sinceMs, 2000);
    State still = freeLock(3000);
    observe(still, &freed);
    QCOMPARE(still.observed.sinceMs, 2000);
    State again = lockState("a", 5000, 4000); // the same owner, another hold
    observe(again, &still);
    QCOMPARE(again.observed.sinceMs, 4000);
    QCOMPARE(again.observed.renewals, 0);
}

void TestObservation::takingOverAnExpiredLockIsNoRenewal()
{
    State held = lockState({}, 500, 1000);
    observe(held, nullptr);
    State expired = expiredLock(2000);
    observe(expired, &held);
    QCOMPARE(expired.observed.renewals, 0);
    State taken = lockState({}, 5000, 3000);
    observe(taken, &expired);
    QCOMPARE(taken.observed.renewals, 0);
    QCOMPARE(taken.observed.sinceMs, 3000);
}

void TestObservation::tokensEnd_data()
{
    QTest::addColumn<qint64>("ttl");
    QTest::addColumn<qint64>("elapsed");
    QTest::addColumn<Phase>("phase");
    QTest::addColumn<TokenState::End>("end");
    using End = TokenState::End;
    QTest::newRow("its time was up") << 1000LL << 1200LL << Phase::Live << End::Expired;
    QTest::newRow("just before its end") << 1000LL << 700LL << Phase::Used << End::Consumed;
    QTest::newRow("long before its end") << 600'000LL << 1000LL << Phase::Live << End::Gone;
    QTest::newRow("after an outage") << 60'000LL << 3'600'000LL << Phase::Live << End::Expired;
    QTest::newRow("without TTL") << -1LL << 3'600'000LL << Phase::Live << End::Gone;
    QTest::newRow("used before") << 600'000LL << 1000LL << Phase::Used << End::Consumed;
    QTest::newRow("a ghost") << -1LL << 1000LL << Phase::NeverIssued << End::Removed;
}

void TestObservation::tokensEnd()
{
    QFETCH(qint64, ttl);
    QFETCH(qint64, elapsed);
    QFETCH(Phase, phase);
    State before = tokenState(phase, ttl < 0 ? std::nullopt : std::optional(ttl), 10'000, 3);
    observe(before, nullptr);
    State now = tokenState(Phase::Gone, std::nullopt, 10'000 + elapsed, std::nullopt);
    observe(now, &before);
    QTEST(now.as<TokenState>()->end, "end");
    QCOMPARE(now.as<TokenState>()->uses, std::optional<qint64>(3)); // what was known last
    QCOMPARE(now.observed.sinceMs, 10'000 + elapsed);
}

void TestObservation::aGoneTokenStaysAsItEnded()
{
    State live = tokenState(Phase::Live, 100, 1000);
    State gone = tokenState(Phase::Gone, std::nullopt, 1500, std::nullopt);
    observe(gone, &live);
    QCOMPARE(gone.as<TokenState>()->end, TokenState::End::Expired);
    State still = tokenState(Phase::Gone, std::nullopt, 9000, std::nullopt);
    observe(still, &gone);
    QCOMPARE(still.as<TokenState>()->end, TokenState::End::Expired);
    QCOMPARE(still.observed.sinceMs, 1500);
}

void TestObservation::aTokenMayComeBack()
{
    State gone = tokenState(Phase::Gone, std::nullopt, 1000, std::nullopt);
    observe(gone, nullptr);
    State live = tokenState(Phase::Live, 60'000, 2000);
    observe(live, &gone);
    QCOMPARE(live.as<TokenState>()->phase, Phase::Live);
    QCOMPARE(live.observed.sinceMs, 2000);
    QCOMPARE(live.as<TokenState>()->uses, std::optional<qint64>(0));
}

void TestObservation::presenceTellsSinceWhen()
{
    State full = queueState({1}, 1000);
    observe(full, nullptr);
    State later = queueState({1, 2}, 2000);
    observe(later, &full);
    QCOMPARE(later.observed.sinceMs, 1000);
    State empty = queueState({}, 3000);
    empty.present = false;
    observe(empty, &later);
    QCOMPARE(empty.observed.sinceMs, 3000);
    QCOMPARE(empty.observed.firstSeenMs, 1000);
}

void TestObservation::aPausedQueueTellsSinceWhen()
{
    State running = queueState({1}, 1000);
    observe(running, nullptr);
    State paused = queueState({1}, 4000);
    paused.body.get<QueueState>().paused = true;
    observe(paused, &running);
    QCOMPARE(paused.observed.sinceMs, 4000);
    State still = queueState({2}, 9000);
    still.body.get<QueueState>().paused = true;
    observe(still, &paused);
    QCOMPARE(still.observed.sinceMs, 4000);
    State resumed = queueState({2}, 9500);
    observe(resumed, &still);
    QCOMPARE(resumed.observed.sinceMs, 9500);
}

LK_TEST(TestObservation);
#include "tst_observation.moc"
