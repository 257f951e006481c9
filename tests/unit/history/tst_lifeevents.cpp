// SPDX-License-Identifier: GPL-3.0-or-later
// The life events that follow from a queue's states.
#include "backend/session/recording/lifeevents.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 t0 = 1'700'000'000'000;

/// One queue, read now and then.
struct Told
{
    void read(qint64 atMs, bool paused)
    {
        State state = queueState({}, t0 + atMs, 5);
        state.body.get<QueueState>().paused = paused;
        addLife(life, state.primitive->id, state, batch);
    }
    /// "paused-type at value code" of what was told since it was asked last.
    QStringList events()
    {
        QStringList all;
        for (const RecordedEvent& event : std::exchange(batch.events, {}))
            all << QStringLiteral("%1 %2 %3 %4")
                       .arg(event.type == EventType::PausedBegan   ? QStringLiteral("+")
                            : event.type == EventType::PausedEnded ? QStringLiteral("-")
                                                                   : QStringLiteral("?"))
                       .arg(event.tMs - t0)
                       .arg(event.value)
                       .arg(QString::fromLatin1(event.code))
                       .trimmed();
        return all;
    }

    Life life;
    RecordBatch batch;
};

} // namespace

class TestLifeEvents : public QObject
{
    Q_OBJECT

private slots:
    void aPauseHasABeginningAndAnEnd();
    void whatWasPausedBeforeIsSo();
    void whatGoesWhileItIsPausedWasNotResumed();
    void jobsThatMovedAreToldOnceAMinute_data();
    void jobsThatMovedAreToldOnceAMinute();
    void stuckHasABeginningAndAnEnd();
    void fullHasABeginningAndAnEnd();
    void fullUntilItWasGone();
    void aTokenEndsOnce_data();
    void aTokenEndsOnce();
    void aTokenThatIsSeenTooLateIsNotTold();
};

void TestLifeEvents::aPauseHasABeginningAndAnEnd()
{
    Told told;
    told.read(1000, false);
    QCOMPARE(told.events(), QStringList());
    told.read(2000, true);
    told.read(3000, true);
    QCOMPARE(told.events(), QStringList{QStringLiteral("+ 2000 0")});
    told.read(9000, false);
    told.read(9500, false);
    QCOMPARE(told.events(), QStringList{QStringLiteral("- 9000 7000")});
    told.read(10'000, true);
    told.read(10'500, false);
    QCOMPARE(told.events(),
             (QStringList{QStringLiteral("+ 10000 0"), QStringLiteral("- 10500 500")}));
}

// The start of the pause was not seen.
void TestLifeEvents::whatWasPausedBeforeIsSo()
{
    Told told;
    told.read(1000, true);
    QCOMPARE(told.events(), QStringList{QStringLiteral("+ 1000 0 before")});
    told.read(2000, true);
    told.read(5000, false);
    QCOMPARE(told.events(), QStringList{QStringLiteral("- 5000 4000 before")});
    told.read(6000, true);
    told.read(8000, false);
    QCOMPARE(told.events(),
             (QStringList{QStringLiteral("+ 6000 0"), QStringLiteral("- 8000 2000")}));
}

void TestLifeEvents::whatGoesWhileItIsPausedWasNotResumed()
{
    Told told;
    told.read(1000, false);
    told.read(2000, true);
    endLife(told.life, {"bullmq", "email"}, Kind::Queue, t0 + 6000, told.batch);
    QCOMPARE(told.events(),
             (QStringList{QStringLiteral("+ 2000 0"), QStringLiteral("- 6000 4000 gone")}));
}

void TestLifeEvents::jobsThatMovedAreToldOnceAMinute_data()
{
    QTest::addColumn<JobRole>("role");
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("delayed") << JobRole::Delayed << QByteArray("delayed");
    QTest::newRow("done") << JobRole::Done << QByteArray("done");
}

void TestLifeEvents::jobsThatMovedAreToldOnceAMinute()
{
    QFETCH(JobRole, role);
    QFETCH(QByteArray, code);
    Life life;
    RecordBatch batch;
    const auto read = [&](qint64 atMs, qint64 count) {
        State state = queueState({}, t0 + atMs, 5);
        auto& queue = state.body.get<QueueState>();
        queue.states.push_back({"own-name", role, count});
        if (role == JobRole::Delayed)
            queue.delayed = count;
        addLife(life, state.primitive->id, state, batch);
    };
    read(0, 100); // were there when it was read first
    QVERIFY(batch.events.empty());
    read(1000, 103);
    QCOMPARE(batch.events.size(), 1U);
    QCOMPARE(batch.events[0].type, EventType::JobsMoved);
    QCOMPARE(batch.events[0].code, code);
    QCOMPARE(batch.events[0].value, 3.0);
    for (int i = 0; i < 10; ++i)
        read(2000 + i * 1000, 104 + i);
    QCOMPARE(batch.events.size(), 1U);
    read(61'000, 113);
    QCOMPARE(batch.events.size(), 2U);
    QCOMPARE(batch.events[1].value, 10.0);
    QCOMPARE(batch.events[1].tMs, t0 + 61'000);
    read(200'000, 113);
    QCOMPARE(batch.events.size(), 2U);
    read(210'000, 110);
    QCOMPARE(batch.events.size(), 3U);
    QCOMPARE(batch.events[2].value, -3.0);
}

void TestLifeEvents::stuckHasABeginningAndAnEnd()
{
    Life life;
    RecordBatch batch;
    for (const auto& [atMs, stuck] : {std::pair(0, 0), {1000, 2}, {2000, 3}, {9000, 0}}) {
        State state = queueState({}, t0 + atMs, 5);
        state.body.get<QueueState>().stuck = stuck;
        addLife(life, state.primitive->id, state, batch);
    }
    QCOMPARE(batch.events.size(), 2U);
    QCOMPARE(batch.events[0].type, EventType::StuckBegan);
    QCOMPARE(batch.events[0].value, 2.0);
    QCOMPARE(batch.events[1].type, EventType::StuckEnded);
    QCOMPARE(batch.events[1].value, 8000.0);
}

// It is full again and again within seconds: that is one time, and it ended when it was clear for
// good.
void TestLifeEvents::fullHasABeginningAndAnEnd()
{
    Life life;
    RecordBatch batch;
    const PrimitivePtr limiter = madePrimitive(Kind::Limiter, "fixed-window", "api");
    const auto read = [&](qint64 atMs, qint64 remaining, qint64 fullSinceMs = 0) {
        State state = madeState(limiter, t0 + atMs);
        state.body.get<LimiterState>().limit = 5;
        state.body.get<LimiterState>().remaining = remaining;
        state.observed.fullSinceMs = fullSinceMs > 0 ? t0 + fullSinceMs : 0;
        addLife(life, limiter->id, state, batch);
    };
    read(1000, 2);
    QVERIFY(batch.events.empty());
    read(3000, 0, 2500); // between two reads
    read(4000, 1);
    QVERIFY(advanceLife(life, limiter->id, t0 + 4500, batch));
    read(5000, 0);
    QVERIFY(!advanceLife(life, limiter->id, t0 + 5000, batch));
    read(9000, 3);
    QVERIFY(advanceLife(life, limiter->id, t0 + 18'999, batch));
    QCOMPARE(batch.events.size(), 1U);
    QVERIFY(!advanceLife(life, limiter->id, t0 + 19'000, batch));
    QCOMPARE(batch.events.size(), 2U);
    QCOMPARE(batch.events[0].type, EventType::FullBegan);
    QCOMPARE(batch.events[0].tMs, t0 + 2500);
    QCOMPARE(batch.events[0].value, 5.0);
    QCOMPARE(batch.events[1].type, EventType::FullEnded);
    QCOMPARE(batch.events[1].tMs, t0 + 9000);
    QCOMPARE(batch.events[1].value, 6500.0);
    QVERIFY(!advanceLife(life, limiter->id, t0 + 60'000, batch));
    QCOMPARE(batch.events.size(), 2U);
}

void TestLifeEvents::fullUntilItWasGone()
{
    Life life;
    RecordBatch batch;
    State state = madeState(madePrimitive(Kind::Limiter, "fixed-window", "api"), t0);
    state.body.get<LimiterState>().remaining = 0;
    addLife(life, state.primitive->id, state, batch);
    endLife(life, state.primitive->id, Kind::Limiter, t0 + 7000, batch);
    QCOMPARE(batch.events.size(), 2U);
    QCOMPARE(batch.events[1].type, EventType::FullEnded);
    QCOMPARE(batch.events[1].value, 7000.0);
}

void TestLifeEvents::aTokenEndsOnce_data()
{
    using End = TokenState::End;
    using Phase = TokenState::Phase;
    QTest::addColumn<Phase>("phase");
    QTest::addColumn<End>("end");
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("used") << Phase::Used << End::Gone << QByteArray("consumed");
    QTest::newRow("consumed") << Phase::Gone << End::Consumed << QByteArray("consumed");
    QTest::newRow("expired") << Phase::Gone << End::Expired << QByteArray("expired");
    QTest::newRow("revoked") << Phase::Gone << End::Revoked << QByteArray("revoked");
    QTest::newRow("removed") << Phase::Gone << End::Removed << QByteArray("removed");
    QTest::newRow("gone") << Phase::Gone << End::Gone << QByteArray("gone");
}

void TestLifeEvents::aTokenEndsOnce()
{
    QFETCH(TokenState::Phase, phase);
    QFETCH(TokenState::End, end);
    QFETCH(QByteArray, code);
    Life life;
    RecordBatch batch;
    const auto read = [&](qint64 atMs, TokenState::Phase now, TokenState::End how) {
        State state = tokenState(now, 60'000, t0 + atMs);
        state.body.get<TokenState>().end = how;
        addLife(life, state.primitive->id, state, batch);
    };
    read(1000, TokenState::Phase::Live, TokenState::End::Gone);
    QVERIFY(batch.events.empty());
    read(2000, phase, end);
    read(3000, phase, TokenState::End::Gone); // its end is unknown by then
    QCOMPARE(batch.events.size(), 1U);
    QCOMPARE(batch.events[0].type, EventType::TokenEnded);
    QCOMPARE(batch.events[0].kind, Kind::Token);
    QCOMPARE(batch.events[0].code, code);
    QCOMPARE(batch.events[0].tMs, t0 + 2000);
    read(4000, TokenState::Phase::Live, TokenState::End::Gone); // issued again
    read(5000, phase, end);
    QCOMPARE(batch.events.size(), 2U);
}

void TestLifeEvents::aTokenThatIsSeenTooLateIsNotTold()
{
    Life life;
    RecordBatch batch;
    const State state = tokenState(TokenState::Phase::Used, 60'000, t0);
    addLife(life, state.primitive->id, state, batch);
    QVERIFY(batch.events.empty());
}

LK_TEST(TestLifeEvents);
#include "tst_lifeevents.moc"
