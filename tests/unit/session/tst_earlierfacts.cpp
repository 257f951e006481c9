// SPDX-License-Identifier: GPL-3.0-or-later
// A condition that existed before this console began to watch has lasted longer than it was seen.
#include "backend/session/monitor/earlierfacts.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 t0 = 1'700'000'000'000;

RecordedEvent began(EventType type, const State& state, qint64 tMs, const QByteArray& code = {})
{
    RecordedEvent event;
    event.type = type;
    event.primitive = state.primitive->id;
    event.tMs = tMs;
    event.code = code;
    return event;
}

/// Seen for the first time just now.
State seen(State state)
{
    state.observed.firstSeenMs = state.observed.sinceMs = state.asOfMs;
    return state;
}

State pausedQueue()
{
    State state = seen(queueState({}, t0, 5));
    state.body.get<QueueState>().paused = true;
    return state;
}

State fullLimiter()
{
    State state = seen(madeState(madePrimitive(Kind::Limiter, "fixed-window", "api"), t0));
    state.body.get<LimiterState>().limit = 5;
    state.body.get<LimiterState>().remaining = 0;
    state.observed.fullSinceMs = t0;
    return state;
}

} // namespace

class TestEarlierFacts : public QObject
{
    Q_OBJECT

private slots:
    void itIsObservedSinceItWasDetected();
    void itIsPausedSinceThen();
    void whenItWasPausedNobodySaw();
    void itIsFullSinceThen();
    void whatChangedSinceIsNoLonger();
};

void TestEarlierFacts::itIsObservedSinceItWasDetected()
{
    State state = seen(queueState({}, t0, 5));
    EarlierFacts earlier;
    earlier.apply(state);
    QCOMPARE(state.observed.firstSeenMs, t0);
    earlier.restore({t0 - 1000, {{state.primitive->id, t0 - 60'000}}, {}, {}});
    State gone = state;
    gone.present = false;
    earlier.apply(gone); // it is another when it comes back
    QCOMPARE(gone.observed.firstSeenMs, t0);
    earlier.apply(state);
    QCOMPARE(state.observed.firstSeenMs, t0 - 60'000);
    QCOMPARE(state.observed.sinceMs, t0);
    state = seen(queueState({}, t0, 5)); // once
    earlier.apply(state);
    QCOMPARE(state.observed.firstSeenMs, t0);
}

void TestEarlierFacts::itIsPausedSinceThen()
{
    State state = pausedQueue();
    EarlierFacts earlier;
    earlier.restore({t0 - 1000,
                     {{state.primitive->id, t0 - 60'000}},
                     {began(EventType::PausedBegan, state, t0 - 40'000)},
                     {}});
    QVERIFY(earlier.isInterrupted(state.primitive->id));
    earlier.apply(state);
    QCOMPARE(state.observed.sinceMs, t0 - 40'000);
    QCOMPARE(state.observed.firstSeenMs, t0 - 60'000);
    QVERIFY(!earlier.isInterrupted(state.primitive->id));
}

// "at least", as long as both are the same.
void TestEarlierFacts::whenItWasPausedNobodySaw()
{
    State state = pausedQueue();
    EarlierFacts earlier;
    earlier.restore({t0 - 1000,
                     {{state.primitive->id, t0 - 60'000}},
                     {began(EventType::PausedBegan, state, t0 - 60'000, "before")},
                     {}});
    earlier.apply(state);
    QCOMPARE(state.observed.sinceMs, t0 - 60'000);
    QCOMPARE(state.observed.firstSeenMs, t0 - 60'000);
    state = pausedQueue(); // it was not paused yet when it was recorded last
    earlier.restore({t0 - 1000, {{state.primitive->id, t0 - 60'000}}, {}, {}});
    earlier.apply(state);
    QCOMPARE(state.observed.sinceMs, t0);
    QCOMPARE(state.observed.firstSeenMs, t0);
}

void TestEarlierFacts::itIsFullSinceThen()
{
    State state = fullLimiter();
    const std::vector<RecordedEvent> full{began(EventType::FullBegan, state, t0 - 40'000)};
    EarlierFacts earlier;
    earlier.restore({t0 - 1000, {{state.primitive->id, t0 - 60'000}}, full, {}});
    earlier.apply(state);
    QCOMPARE(state.observed.fullSinceMs, t0 - 40'000);
    // It was not observed for too long.
    state = fullLimiter();
    EarlierFacts late;
    late.restore({t0 - 3'600'000, {{state.primitive->id, t0 - 7'200'000}}, full, {}});
    late.apply(state);
    QCOMPARE(state.observed.fullSinceMs, t0);
}

void TestEarlierFacts::whatChangedSinceIsNoLonger()
{
    State state = fullLimiter();
    state.body.get<LimiterState>().remaining = 2;
    state.observed.fullSinceMs = 0;
    EarlierFacts earlier;
    earlier.restore({t0 - 1000,
                     {{state.primitive->id, t0 - 60'000}},
                     {began(EventType::FullBegan, state, t0 - 40'000)},
                     {}});
    earlier.apply(state);
    QCOMPARE(state.observed.fullSinceMs, 0);
    State queue = pausedQueue();
    queue.observed.sinceMs = t0 + 500; // resumed and paused again
    queue.asOfMs = t0 + 500;
    EarlierFacts other;
    other.restore({t0 - 1000,
                   {{queue.primitive->id, t0 - 60'000}},
                   {began(EventType::PausedBegan, queue, t0 - 40'000)},
                   {}});
    other.apply(queue);
    QCOMPARE(queue.observed.sinceMs, t0 + 500);
}

LK_TEST(TestEarlierFacts);
#include "tst_earlierfacts.moc"
