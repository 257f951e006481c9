// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/keptstate.h"
#include "backend/session/board/runningsummary.h"
#include "tests/support/handles.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QRandomGenerator>
#include <QTest>

#include <map>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 now = 1'000'000;

StatePtr limiter(qint64 used, Health health = Health::Ok)
{
    State state = madeState(madePrimitive(Kind::Limiter, "rolling-window", "l"), now);
    auto& body = state.body.get<LimiterState>();
    body.occupancy = used;
    body.limit = 100;
    body.windowMs = 1000;
    state.health = health;
    return std::make_shared<const State>(std::move(state));
}

StatePtr lock(std::optional<qint64> leaseMs, qint64 asOfMs = now)
{
    return std::make_shared<const State>(
        lockState("x", leaseMs, asOfMs, madePrimitive(Kind::Lock, "set-nx-px", "k")));
}

std::vector<EndCount> leases(const RunningSummary& running)
{
    Summary summary;
    running.countIn(summary);
    return summary.leasesByEnd;
}

using States = std::map<quint32, StatePtr>;

/// Determined from all states: the fullest ones, and the first of those that need attention, which
/// have the same urgency. The first of equal ones leads.
std::vector<Handle> leading(const States& all, Health least, size_t most)
{
    std::vector<std::pair<qint64, Handle>> order;
    for (const auto& [place, state] : all) {
        if (!state || state->health < least)
            continue;
        const qint64 used = *state->as<LimiterState>()->occupancy;
        if (least >= Health::Warning)
            order.emplace_back(0, Handle(place)); // of one urgency
        else if (used > 0)
            order.emplace_back(-used, Handle(place));
    }
    std::ranges::sort(order);
    std::vector<Handle> handles;
    for (size_t i = 0; i < std::min(most, order.size()); ++i)
        handles.push_back(order[i].second);
    return handles;
}

} // namespace

class TestRunningSummary : public QObject
{
    Q_OBJECT
private slots:
    void leadersAreThoseOfALookAtAll_data();
    void leadersAreThoseOfALookAtAll();
    void aRateIsSeenWhereNoWindowIsKnown();
    void countsEveryEndOfManyThousand();
    void endsCloseTogetherAreCountedTogether();
    void whatGoesIsCountedNoMore();
    void aPackedStateIsTakenAwayAsItCame();
};

void TestRunningSummary::leadersAreThoseOfALookAtAll_data()
{
    QTest::addColumn<int>("most");
    QTest::newRow("values far apart") << 1'000'000;
    QTest::newRow("many of one value") << 3;
}

void TestRunningSummary::leadersAreThoseOfALookAtAll()
{
    QFETCH(int, most);
    QRandomGenerator random(7);
    RunningSummary running;
    States all;
    int startedOver = 0;
    for (int step = 0; step < 20'000; ++step) {
        const quint32 place = random.bounded(500U);
        const StatePtr next = random.bounded(4) == 0
                                  ? StatePtr()
                                  : limiter(random.bounded(most),
                                            random.bounded(10) == 0 ? Health::Warning : Health::Ok);
        StatePtr& state = all[place];
        running.change(Handle(place), state.get(), next.get());
        state = next;
        if (step % 50 != 0)
            continue;
        // All that lead leave at once, and those that came next.
        for (int gone = 0; step > 0 && step % 1000 == 0 && gone < 40 && !running.isShort();
             ++gone) {
            const Handle leader = running.leaders().fullest.front();
            StatePtr& was = all[leader.index];
            running.change(leader, was.get(), nullptr);
            was = nullptr;
        }
        if (running.isShort()) {
            ++startedOver;
            running.startOver();
            for (const auto& [at, one] : all) {
                if (one)
                    running.lead(Handle(at), *one);
            }
        }
        const RunningSummary::Leaders leaders = running.leaders();
        QCOMPARE(leaders.fullest, leading(all, Health::Idle, 8));
        QCOMPARE(leaders.busiest, leaders.fullest); // all have one limit and one window
        QCOMPARE(leaders.attention, leading(all, Health::Warning, 40));
    }
    QVERIFY(startedOver > 0); // else that is not tried
    QVERIFY(startedOver < 200);
}

// Counters without a known window are ordered by the rise that was seen, while it lasts.
void TestRunningSummary::aRateIsSeenWhereNoWindowIsKnown()
{
    const auto counter = [](qint64 used, qint64 atMs) {
        State state = madeState(madePrimitive(Kind::Limiter, "fixed-window", "l"), atMs);
        auto& body = state.body.get<LimiterState>();
        body.occupancy = used;
        return std::make_shared<const State>(std::move(state));
    };
    RunningSummary running;
    const StatePtr slow = limiter(5); // five a second, by its window
    running.change(Handle(0), nullptr, slow.get());
    StatePtr fast = counter(100, now);
    running.change(Handle(1), nullptr, fast.get());
    StatePtr still = counter(9000, now);
    running.change(Handle(2), nullptr, still.get());
    QCOMPARE(running.leaders().busiest, std::vector<Handle>{Handle(0)});
    for (int second = 1; second <= 4; ++second) {
        const StatePtr next = counter(100 + 40 * second, now + 1000 * second);
        running.change(Handle(1), fast.get(), next.get());
        fast = next;
        const StatePtr same = counter(9000, now + 1000 * second);
        running.change(Handle(2), still.get(), same.get());
        still = same;
    }
    running.age(now + 4000);
    QCOMPARE(running.leaders().busiest, (std::vector<Handle>{Handle(1), Handle(0)}));
    QCOMPARE(running.ratePerSecond(Handle(1), *fast), 40.0);
    QCOMPARE(running.ratePerSecond(Handle(0), *slow), 5.0);
    running.age(now + 60'000);
    QCOMPARE(running.leaders().busiest, std::vector<Handle>{Handle(0)});
}

void TestRunningSummary::countsEveryEndOfManyThousand()
{
    constexpr quint32 many = 60'000;
    RunningSummary running;
    for (quint32 i = 0; i < many; ++i)
        running.change(Handle(i), nullptr, lock(10'000 + qint64(i) * 20).get());
    running.change(Handle(many), nullptr, lock(std::nullopt).get());
    Summary summary;
    running.countIn(summary);
    qint64 counted = 0;
    for (const EndCount& end : summary.leasesByEnd)
        counted += end.count;
    QCOMPARE(counted, qint64(many));
    QCOMPARE(summary.noTtlLocks, 1);
    QVERIFY(std::ranges::is_sorted(summary.leasesByEnd, {}, &EndCount::atMs));
    QVERIFY(summary.leasesByEnd.size() < 10'000); // in 90 s 10 ms apart at most, then a second
}

void TestRunningSummary::endsCloseTogetherAreCountedTogether()
{
    RunningSummary running;
    quint32 place = 0;
    for (const qint64 leaseMs : {5000, 5009, 5010, 200'000, 200'999, 201'000})
        running.change(Handle(place++), nullptr, lock(leaseMs).get());
    const std::vector<EndCount> wanted{
        {now + 5000, 2}, {now + 5010, 1}, {now + 200'000, 2}, {now + 201'000, 1}};
    QCOMPARE(leases(running), wanted);
}

void TestRunningSummary::whatGoesIsCountedNoMore()
{
    RunningSummary running;
    const StatePtr first = lock(50'000);
    const StatePtr later = lock(50'000, now + 40'000); // renewed meanwhile
    running.change(Handle(1), nullptr, first.get());
    running.change(Handle(1), first.get(), later.get());
    QCOMPARE(leases(running), std::vector<EndCount>{now + 90'000});
    running.change(Handle(1), later.get(), nullptr);
    QVERIFY(leases(running).empty());
}

void TestRunningSummary::aPackedStateIsTakenAwayAsItCame()
{
    RunningSummary running;
    for (const StatePtr& state : {lock(50'000), limiter(90)}) {
        const KeptState kept = KeptState::packed(state);
        QVERIFY(kept.isPacked());
        running.change(Handle(1), nullptr, state.get());
        running.change(Handle(1), kept.state().get(), nullptr);
    }
    QVERIFY(leases(running).empty());
    QVERIFY(running.leaders().fullest.empty());
    QVERIFY(running.leaders().busiest.empty());
}

LK_TEST(TestRunningSummary);
#include "tst_runningsummary.moc"
