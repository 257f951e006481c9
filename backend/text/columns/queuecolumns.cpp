// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/columns/columnparts.h"
#include "backend/text/columns/kindcolumns.h"

namespace lk {

namespace {

using namespace columnparts;

std::optional<qint64> stuckCount(const State& s)
{
    const auto* q = s.as<QueueState>();
    return q && q->processing && !s.problem ? std::optional(q->stuck) : std::nullopt;
}

// Jobs of a paused queue wait, too.
std::optional<qint64> waitingCount(const State& s)
{
    const auto* q = s.as<QueueState>();
    return q && !s.problem ? waitingJobs(*q) : std::nullopt;
}

std::optional<qint64> overdueFor(const State& s)
{
    const auto* q = s.as<QueueState>();
    return q && !s.problem ? overdueMs(*q, s.asOfMs) : std::nullopt;
}

std::optional<qint64> overdueBegin(const State& s)
{
    const auto* q = s.as<QueueState>();
    return q && overdueFor(s) ? q->due.firstMs : std::nullopt;
}

template<auto count> QString countedText(const State& s)
{
    return countText(count(s));
}

template<auto value> Number numberOf(const State& s)
{
    return number(value(s));
}

QString overdueText(const State& s)
{
    return durationText(overdueFor(s));
}

const Column queueColumnTable[] = {
    nameColumn,
    stateColumn,
    {"ready", ColumnStyle::Count, QT_TRANSLATE_NOOP("lk::Column", "Waiting"),
     countedText<waitingCount>, numberOf<waitingCount>},
    {"processing", ColumnStyle::Count, QT_TRANSLATE_NOOP("lk::Column", "In progress"),
     fieldCount<QueueState, &QueueState::processing>,
     fieldNumber<QueueState, &QueueState::processing>},
    {"oldest", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Longest"),
     fieldDuration<QueueState, &QueueState::oldestProcessingMs>,
     fieldNumber<QueueState, &QueueState::oldestProcessingMs>,
     beginOf<QueueState, &QueueState::oldestProcessingMs>},
    {"stuck", ColumnStyle::Count, QT_TRANSLATE_NOOP("lk::Column", "Stuck"), countedText<stuckCount>,
     numberOf<stuckCount>},
    {"delayed", ColumnStyle::Count, QT_TRANSLATE_NOOP("lk::Column", "Delayed"),
     fieldCount<QueueState, &QueueState::delayed>, fieldNumber<QueueState, &QueueState::delayed>},
    {"dead", ColumnStyle::Count, QT_TRANSLATE_NOOP("lk::Column", "Dead-lettered"),
     fieldCount<QueueState, &QueueState::dead>, fieldNumber<QueueState, &QueueState::dead>},
    {"waiting-for", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Oldest waiting"),
     fieldDuration<QueueState, &QueueState::oldestReadyMs>,
     fieldNumber<QueueState, &QueueState::oldestReadyMs>,
     beginOf<QueueState, &QueueState::oldestReadyMs>},
    {"overdue", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Overdue"), overdueText,
     numberOf<overdueFor>, overdueBegin},
    layoutColumn,
};

template<auto Member> Number flowNumber(const State& s)
{
    const auto* q = s.as<QueueState>();
    return q && !s.problem ? q->*Member : std::nullopt;
}

const Metric queueMetricTable[] = {
    {"ready", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "Waiting"),
     fieldNumber<QueueState, &QueueState::ready>},
    {"processing", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "In progress"),
     fieldNumber<QueueState, &QueueState::processing>},
    {"delayed", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "Delayed"),
     fieldNumber<QueueState, &QueueState::delayed>},
    {"dead", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "Dead-lettered"),
     fieldNumber<QueueState, &QueueState::dead>},
    {"oldest", Metric::Unit::Milliseconds, QT_TRANSLATE_NOOP("lk::Column", "Oldest in progress"),
     fieldNumber<QueueState, &QueueState::oldestProcessingMs>},
    {"in", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "In per second"),
     flowNumber<&QueueState::inPerSecond>},
    {"out", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "Out per second"),
     flowNumber<&QueueState::outPerSecond>},
};

} // namespace

std::span<const Column> queueColumns()
{
    return queueColumnTable;
}

std::span<const Metric> queueMetrics()
{
    return queueMetricTable;
}

} // namespace lk
