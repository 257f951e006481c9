// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/jobs/jobnumbers.h"

#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QLocale>

#include <array>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Column)
};

using Number = std::optional<double>;
using Spread = std::optional<DurationSpread>;

constexpr size_t combinations = 8;

const QueueState* queueOf(const State& state)
{
    return state.problem ? nullptr : state.as<QueueState>();
}

QString unknownText()
{
    return QStringLiteral("\u2013");
}

// Low rates are shown per minute.
QString rateText(std::optional<double> perSecond)
{
    if (!perSecond)
        return unknownText();
    const QLocale locale;
    if (*perSecond == 0)
        return locale.toString(0);
    if (*perSecond < 1)
        return Text::tr("%1 a minute", "jobs").arg(locale.toString(*perSecond * 60, 'f', 1));
    return Text::tr("%1 a second", "jobs").arg(locale.toString(*perSecond, 'f', 1));
}

QString sourceText(RateSource source)
{
    switch (source) {
    case RateSource::Totals:
        return Text::tr("as the library counts");
    case RateSource::TotalsOfAll:
        return Text::tr("as the library counts, all of its queues together");
    case RateSource::TotalsOfWorker:
        return Text::tr("as its workers count, including their other queues");
    case RateSource::EndTimes:
        return Text::tr("at least: of the jobs that are still kept");
    case RateSource::None:
        break;
    }
    return Text::tr("not counted");
}

QString throughputText(const State& state)
{
    const QueueState* queue = queueOf(state);
    if (!queue || (!queue->completedPerSecond && !queue->failedPerSecond))
        return unknownText();
    return Text::tr("%1 completed, %2 failed (%3)", "rates, who says so")
        .arg(rateText(queue->completedPerSecond), rateText(queue->failedPerSecond),
             sourceText(queue->rateSource));
}

QString throughputUnit(const State& state)
{
    const QueueState* queue = queueOf(state);
    if (queue && queue->rateSource == RateSource::EndTimes) // there is little space
        return Text::tr("jobs per second, at least");
    return Text::tr("jobs per second, %1", "who says so")
        .arg(sourceText(queue ? queue->rateSource : RateSource::None));
}

template<auto Member> Number rate(const State& state)
{
    const QueueState* queue = queueOf(state);
    return queue ? queue->*Member : std::nullopt;
}

template<auto Member> QString spreadText(const State& state)
{
    const QueueState* queue = queueOf(state);
    if (!queue || !(queue->*Member))
        return unknownText();
    const DurationSpread& spread = *(queue->*Member);
    return Text::tr("p50 %1, p95 %2, p99 %3, of %Ln jobs", nullptr, int(spread.jobs))
        .arg(formatDuration(spread.p50), formatDuration(spread.p95), formatDuration(spread.p99));
}

template<auto Member> QString spreadUnit(const State& state)
{
    const QueueState* queue = queueOf(state);
    if (!queue || !(queue->*Member))
        return Text::tr("unknown for all jobs of the last hour");
    return Text::tr("of the last %Ln jobs", nullptr, int((queue->*Member)->jobs));
}

template<auto Member, auto Rank> Number percentile(const State& state)
{
    const QueueState* queue = queueOf(state);
    return queue && queue->*Member ? Number(double((*(queue->*Member)).*Rank)) : std::nullopt;
}

constexpr auto waited = &QueueState::waited;
constexpr auto ran = &QueueState::ran;
constexpr auto p50 = &DurationSpread::p50;
constexpr auto p95 = &DurationSpread::p95;
constexpr auto p99 = &DurationSpread::p99;
using Tone = Metric::Tone;
using Unit = Metric::Unit;

const MetricChart throughputChart{QT_TRANSLATE_NOOP("lk::Column", "Throughput"), throughputUnit};
const MetricChart waitedChart{QT_TRANSLATE_NOOP("lk::Column", "Waiting time"), spreadUnit<waited>};
const MetricChart ranChart{QT_TRANSLATE_NOOP("lk::Column", "Running time"), spreadUnit<ran>};

const Metric metricOfCompleted{"completed",
                               Unit::Count,
                               QT_TRANSLATE_NOOP("lk::Column", "Completed per second"),
                               rate<&QueueState::completedPerSecond>,
                               false,
                               &throughputChart,
                               QT_TRANSLATE_NOOP("lk::Column", "completed"),
                               Tone::Good};
const Metric metricOfFailed{"failed",
                            Unit::Count,
                            QT_TRANSLATE_NOOP("lk::Column", "Failed per second"),
                            rate<&QueueState::failedPerSecond>,
                            false,
                            &throughputChart,
                            QT_TRANSLATE_NOOP("lk::Column", "failed"),
                            Tone::Bad};

template<auto Member, auto Rank>
constexpr Metric spreadMetric(const char* id, const char* title, const MetricChart& chart,
                              const char* line, Tone tone)
{
    return {id, Unit::Milliseconds, title, percentile<Member, Rank>, false, &chart, line, tone};
}

std::vector<Metric> metricsWithAll(JobNumbers numbers)
{
    std::vector<Metric> all(metrics(Kind::Queue).begin(), metrics(Kind::Queue).end());
    const auto add = [&](JobNumber number, std::initializer_list<Metric> more) {
        if (numbers & number)
            all.insert(all.end(), more);
    };
    add(JobNumber::Throughput, {metricOfCompleted, metricOfFailed});
    add(JobNumber::Waiting,
        {spreadMetric<waited, p50>("waited-p50",
                                   QT_TRANSLATE_NOOP("lk::Column", "Waiting time p50"), waitedChart,
                                   "p50", Tone::Plain),
         spreadMetric<waited, p95>("waited-p95",
                                   QT_TRANSLATE_NOOP("lk::Column", "Waiting time p95"), waitedChart,
                                   "p95", Tone::Second),
         spreadMetric<waited, p99>("waited-p99",
                                   QT_TRANSLATE_NOOP("lk::Column", "Waiting time p99"), waitedChart,
                                   "p99", Tone::Third)});
    add(JobNumber::Running,
        {spreadMetric<ran, p50>("ran-p50", QT_TRANSLATE_NOOP("lk::Column", "Running time p50"),
                                ranChart, "p50", Tone::Plain),
         spreadMetric<ran, p95>("ran-p95", QT_TRANSLATE_NOOP("lk::Column", "Running time p95"),
                                ranChart, "p95", Tone::Second),
         spreadMetric<ran, p99>("ran-p99", QT_TRANSLATE_NOOP("lk::Column", "Running time p99"),
                                ranChart, "p99", Tone::Third)});
    return all;
}

std::vector<Column> columnsWithAll(JobNumbers numbers)
{
    std::vector<Column> all(columns(Kind::Queue).begin(), columns(Kind::Queue).end());
    const auto add = [&](JobNumber number, const Column& column) {
        if (numbers & number)
            all.insert(all.end() - 1, column); // the layout's is the last
    };
    add(JobNumber::Throughput,
        {"throughput", ColumnStyle::Text, QT_TRANSLATE_NOOP("lk::Column", "Throughput"),
         throughputText, rate<&QueueState::completedPerSecond>});
    add(JobNumber::Waiting,
        {"waited", ColumnStyle::Text, QT_TRANSLATE_NOOP("lk::Column", "Waiting time"),
         spreadText<waited>, percentile<waited, p95>});
    add(JobNumber::Running,
        {"ran", ColumnStyle::Text, QT_TRANSLATE_NOOP("lk::Column", "Running time"), spreadText<ran>,
         percentile<ran, p95>});
    return all;
}

} // namespace

std::span<const Column> jobColumns(JobNumbers numbers)
{
    static const auto all = [] {
        std::array<std::vector<Column>, combinations> made;
        for (size_t i = 0; i < combinations; ++i)
            made[i] = columnsWithAll(JobNumbers::fromInt(int(i)));
        return made;
    }();
    return all[size_t(numbers.toInt())];
}

std::span<const Metric> jobMetrics(JobNumbers numbers)
{
    static const auto all = [] {
        std::array<std::vector<Metric>, combinations> made;
        for (size_t i = 0; i < combinations; ++i)
            made[i] = metricsWithAll(JobNumbers::fromInt(int(i)));
        return made;
    }();
    return all[size_t(numbers.toInt())];
}

} // namespace lk
