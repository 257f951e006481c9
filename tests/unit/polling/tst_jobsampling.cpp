// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/jobs/jobnumbers.h"
#include "backend/libraries/families/jobs/jobsampling.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 now = 1'800'000'000'000;
constexpr qint64 minuteMs = 60'000;

JobFacts job(const QByteArray& id, qint64 startedMs, qint64 waitedMs, std::optional<qint64> ranMs)
{
    JobFacts facts;
    facts.id = id;
    facts.startedMs = startedMs;
    facts.readyMs = startedMs - waitedMs;
    if (ranMs)
        facts.finishedMs = startedMs + *ranMs;
    return facts;
}

std::vector<QByteArray> idsOf(const std::vector<JobFacts>& jobs)
{
    std::vector<QByteArray> ids;
    for (const JobFacts& facts : jobs)
        ids.push_back(facts.id);
    return ids;
}

// A queue that was read with these jobs, after that state.
State read(const std::vector<JobFacts>& ended, const State* before = nullptr,
           const std::vector<JobFacts>& inProgress = {}, qint64 atMs = now,
           Depth depth = Depth::Detail)
{
    State state = queueState({}, atMs);
    ReadContext context;
    context.nowMs = atMs;
    context.depth = depth;
    context.previous = before;
    auto& queue = state.body.get<QueueState>();
    for (const JobFacts& facts : inProgress) {
        QueueJob item;
        item.facts = facts;
        queue.items.push_back(item);
    }
    if (depth == Depth::Detail) {
        std::vector<JobFacts> fresh;
        const std::vector<QByteArray> ids = idsOf(ended);
        const std::vector<QByteArray> unread = unsampled(knownSample(context), ids);
        for (const JobFacts& facts : ended) {
            if (std::find(unread.begin(), unread.end(), facts.id) != unread.end())
                fresh.push_back(facts);
        }
        sampleEnded(queue, context, ids, fresh, qint64(ids.size()));
    }
    finalizeTimes(queue, context);
    return state;
}

const QueueState& queueOf(const State& state)
{
    return state.body.get<QueueState>();
}

QString columnText(const State& state, const char* id)
{
    for (const Column& column :
         jobColumns(JobNumber::Throughput | JobNumber::Waiting | JobNumber::Running)) {
        if (qstrcmp(column.id, id) == 0)
            return column.text(state);
    }
    return {};
}

} // namespace

class TestJobSampling : public QObject
{
    Q_OBJECT

private slots:
    void percentilesAreOfTheDurationsThemselves();
    void whatEndedIsReadOnce();
    void whoIsInProgressHasWaited();
    void oneRunCountsOnce();
    void whatEndedLongAgoTellsNothing();
    void noTimesTellNothing();
    void aSummaryKeepsAndTellsNothing();
    void ratesByEndTimes();
    void totalsGoBeforeEndTimes();
    void metricsOfOneChartAreNeighbours();
};

void TestJobSampling::percentilesAreOfTheDurationsThemselves()
{
    QCOMPARE(spreadOf({}), std::nullopt);
    QCOMPARE(spreadOf({7}), (DurationSpread{7, 7, 7, 1}));
    std::vector<qint64> hundred;
    for (qint64 i = 100; i > 0; --i)
        hundred.push_back(i * 10);
    QCOMPARE(spreadOf(hundred), (DurationSpread{500, 950, 990, 100}));
    QCOMPARE(spreadOf({3, 1, 2}), (DurationSpread{2, 3, 3, 3}));
}

void TestJobSampling::whatEndedIsReadOnce()
{
    const std::vector<JobFacts> first{job("b", now - 500, 20, 200), job("a", now - 900, 10, 100)};
    const State before = read(first);
    QCOMPARE(queueOf(before).waited, (DurationSpread{10, 20, 20, 2}));
    QCOMPARE(queueOf(before).ran, (DurationSpread{100, 200, 200, 2}));
    const JobSample* known = queueOf(before).sample.get();
    QCOMPARE(unsampled(known, {"c", "b", "a"}), std::vector<QByteArray>{"c"});
    // Had "b" been read again, its other times would show.
    const State after =
        read({job("c", now - 100, 30, 50), job("b", now - 500, 9999, 9999)}, &before);
    QCOMPARE(queueOf(after).waited, (DurationSpread{20, 30, 30, 2}));
    QCOMPARE(queueOf(after).ran, (DurationSpread{50, 200, 200, 2}));
    QCOMPARE(columnText(after, "ran"),
             QStringLiteral("p50 50 ms, p95 200 ms, p99 200 ms, of 2 jobs"));
}

// Where a library keeps nothing of what has ended, those that were seen in progress tell.
void TestJobSampling::whoIsInProgressHasWaited()
{
    const State first = read({}, nullptr, {job("a", now - 1000, 40, {})});
    QCOMPARE(queueOf(first).waited, (DurationSpread{40, 40, 40, 1}));
    QVERIFY(!queueOf(first).ran);
    const State second = read({}, &first, {job("b", now, 60, {})}, now + 5000);
    QCOMPARE(queueOf(second).waited, (DurationSpread{40, 60, 60, 2}));
    const State later = read({}, &second, {}, now + 61 * minuteMs);
    QCOMPARE(queueOf(later).waited, std::nullopt);
}

// Seen in progress and then ended: one job. Taken again later: another run.
void TestJobSampling::oneRunCountsOnce()
{
    const State first = read({}, nullptr, {job("a", now - 1000, 40, {})});
    const State second = read({job("a", now - 1000, 40, 300)}, &first);
    QCOMPARE(queueOf(second).waited, (DurationSpread{40, 40, 40, 1}));
    // A start that is worked out from an age is inexact by some milliseconds.
    const State third = read({}, &first, {job("a", now - 997, 43, {})}, now + 250);
    QCOMPARE(queueOf(third).waited, (DurationSpread{40, 40, 40, 1}));
    const State again = read({}, &first, {job("a", now + 4000, 5, {})}, now + 5000);
    QCOMPARE(queueOf(again).waited, (DurationSpread{5, 40, 40, 2}));
}

void TestJobSampling::whatEndedLongAgoTellsNothing()
{
    const State state =
        read({job("b", now - 59 * minuteMs, 5, 10), job("a", now - 61 * minuteMs, 7, 9)});
    QCOMPARE(queueOf(state).waited, (DurationSpread{5, 5, 5, 1}));
    QCOMPARE(queueOf(state).ran, (DurationSpread{10, 10, 10, 1}));
}

void TestJobSampling::noTimesTellNothing()
{
    JobFacts bare;
    bare.id = "a";
    const State state = read({bare}, nullptr, {bare});
    QVERIFY(!queueOf(state).waited && !queueOf(state).ran);
    QCOMPARE(columnText(state, "waited"), QStringLiteral("–"));
    QCOMPARE(columnText(state, "throughput"), QStringLiteral("–"));
    // Clocks of workers differ: less than nothing is nothing.
    QCOMPARE(queueOf(read({job("b", now - 10, -30, 5)})).waited, (DurationSpread{0, 0, 0, 1}));
}

void TestJobSampling::aSummaryKeepsAndTellsNothing()
{
    const State detail = read({job("a", now - 900, 10, 100)});
    const State summary = read({}, &detail, {}, now + 1000, Depth::Summary);
    QVERIFY(!queueOf(summary).waited && !queueOf(summary).ran);
    QVERIFY(isSampled(queueOf(summary).sample.get(), "a"));
}

void TestJobSampling::ratesByEndTimes()
{
    QVERIFY(!queueOf(read({})).completedPerSecond);
    std::vector<JobFacts> jobs;
    for (int i = 0; i < 6; ++i)
        jobs.push_back(job(QByteArray::number(i), now - 1000 - i * 10'000, 1, 1));
    const State state = read(jobs);
    QCOMPARE(queueOf(state).completedPerSecond, std::optional(0.1)); // six in the last minute
    QCOMPARE(queueOf(state).failedPerSecond, std::optional(0.0));
    QCOMPARE(queueOf(state).rateSource, RateSource::EndTimes);
    QVERIFY2(columnText(state, "throughput")
                 .startsWith(QStringLiteral("6.0 a minute completed, 0 failed (at least")),
             qPrintable(columnText(state, "throughput")));
    QCOMPARE(queueOf(read(jobs, nullptr, {}, now + 5 * minuteMs)).completedPerSecond,
             std::optional(0.0));
}

void TestJobSampling::totalsGoBeforeEndTimes()
{
    ReadContext context;
    context.nowMs = now;
    context.depth = Depth::Detail;
    QueueState queue;
    queue.rateSource = RateSource::Totals;
    const std::vector<JobFacts> ended{job("a", now - 1000, 1, 1)};
    sampleEnded(queue, context, idsOf(ended), ended, 1);
    finalizeTimes(queue, context);
    QCOMPARE(queue.rateSource, RateSource::Totals);
    QVERIFY(!queue.completedPerSecond); // that takes two looks
    QCOMPARE(queue.ran, (DurationSpread{1, 1, 1, 1}));
}

void TestJobSampling::metricsOfOneChartAreNeighbours()
{
    const auto all = jobMetrics(JobNumber::Throughput | JobNumber::Waiting | JobNumber::Running);
    std::vector<const MetricChart*> charts;
    for (const Metric& metric : all.subspan(metrics(Kind::Queue).size())) {
        QVERIFY(metric.chart && !lineLabel(metric).isEmpty());
        if (charts.empty() || charts.back() != metric.chart)
            charts.push_back(metric.chart);
    }
    QCOMPARE(charts.size(), size_t(3));
    QCOMPARE(jobMetrics({}).size(), metrics(Kind::Queue).size());
}

LK_TEST(TestJobSampling);
#include "tst_jobsampling.moc"
