// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/derived/jobthroughput.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

State look(JobThroughput& throughput, qint64 completed, qint64 failed, qint64 atMs, quint64 of = 0,
           RateSource source = RateSource::Totals)
{
    State state = queueState({}, atMs);
    auto& queue = state.body.get<QueueState>();
    queue.completedTotal = completed;
    queue.failedTotal = failed;
    queue.rateSource = source;
    queue.totalsOf = of;
    throughput.apply(state);
    return state;
}

using Rate = std::optional<double>;

Rate completedIn(const State& state)
{
    return state.as<QueueState>()->completedPerSecond;
}

} // namespace

class TestJobThroughput : public QObject
{
    Q_OBJECT

private slots:
    void twoLooksTell();
    void ratesAreOverHalfAMinute();
    void whatStandsStillIsZero();
    void aResetStartsAnew();
    void othersTotalsStartAnew();
    void endTimesAreLeftAlone();
    void isLookedAtAgainWhileItMoves();
};

void TestJobThroughput::twoLooksTell()
{
    JobThroughput throughput;
    QCOMPARE(completedIn(look(throughput, 1000, 10, 5000)), Rate());
    const State state = look(throughput, 1040, 12, 9000);
    QCOMPARE(completedIn(state), Rate(10.0));
    QCOMPARE(state.as<QueueState>()->failedPerSecond, Rate(0.5));
}

// A library that counts every ten seconds does not make a comb of it.
void TestJobThroughput::ratesAreOverHalfAMinute()
{
    JobThroughput throughput;
    State state = queueState({}, 0);
    for (int s = 0; s <= 120; ++s)
        state = look(throughput, s / 10 * 50, 0, 1000 + s * 1000);
    QCOMPARE(completedIn(state), Rate(5.0));
    QVERIFY(*completedIn(look(throughput, 12 * 50, 0, 125'000)) > 3.0);
}

void TestJobThroughput::whatStandsStillIsZero()
{
    JobThroughput throughput;
    look(throughput, 1000, 10, 5000);
    const State state = look(throughput, 1000, 10, 65'000);
    QCOMPARE(completedIn(state), Rate(0.0));
    QCOMPARE(state.revisitAtMs, 0);
}

void TestJobThroughput::aResetStartsAnew()
{
    JobThroughput throughput;
    look(throughput, 1000, 10, 5000);
    QCOMPARE(completedIn(look(throughput, 3, 0, 9000)), Rate());
    QCOMPARE(completedIn(look(throughput, 5, 0, 11'000)), Rate(1.0));
}

// Workers that come and go take their counts with them.
void TestJobThroughput::othersTotalsStartAnew()
{
    JobThroughput throughput;
    look(throughput, 1000, 10, 5000, 7, RateSource::TotalsOfWorker);
    QCOMPARE(completedIn(look(throughput, 9000, 10, 9000, 8, RateSource::TotalsOfWorker)), Rate());
    QCOMPARE(completedIn(look(throughput, 9004, 10, 11'000, 8, RateSource::TotalsOfWorker)),
             Rate(2.0));
}

void TestJobThroughput::endTimesAreLeftAlone()
{
    JobThroughput throughput;
    State state = queueState({}, 5000);
    auto& queue = state.body.get<QueueState>();
    queue.rateSource = RateSource::EndTimes;
    queue.completedPerSecond = 4;
    throughput.apply(state);
    QCOMPARE(completedIn(state), Rate(4.0));
}

void TestJobThroughput::isLookedAtAgainWhileItMoves()
{
    JobThroughput throughput;
    look(throughput, 1000, 10, 5000);
    const State state = look(throughput, 1040, 10, 9000);
    QVERIFY(state.revisitAtMs > 9000);
}

LK_TEST(TestJobThroughput);
#include "tst_jobthroughput.moc"
