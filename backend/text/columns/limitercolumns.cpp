// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/columns/columnparts.h"
#include "backend/text/columns/kindcolumns.h"

namespace lk {

namespace {

using namespace columnparts;

QString fillText(const State& s)
{
    const auto* l = s.as<LimiterState>();
    if (!l || s.problem || !l->occupancy)
        return unknown();
    const QString used = (l->occupancyIsUpperBound ? QStringLiteral("\u2264\u2009") : QString()) +
                         QLocale().toString(*l->occupancy);
    return used + QLatin1Char('/') +
           (l->limit ? QLocale().toString(*l->limit) : QStringLiteral("?"));
}

Number fillNumber(const State& s)
{
    const auto* l = s.as<LimiterState>();
    if (!l || !l->occupancy)
        return std::nullopt;
    return l->limit && *l->limit > 0 ? double(*l->occupancy) / double(*l->limit)
                                     : -1.0 / (1.0 + double(*l->occupancy));
}

template<auto Member> QString limiterDuration(const State& s)
{
    const auto ms = field<LimiterState, Member>(s);
    return ms && *ms == 0 ? ColumnText::tr("now") : durationText(ms);
}

QString retryText(const State& s)
{
    const auto ms = field<LimiterState, &LimiterState::retryAfterMs>(s);
    return ms && *ms > 0 ? formatDuration(*ms) : unknown();
}

const Column limiterColumnTable[] = {
    nameColumn,
    stateColumn,
    {"used", ColumnStyle::Fill, QT_TRANSLATE_NOOP("lk::Column", "Used / limit"), fillText,
     fillNumber},
    {"free", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Next free"),
     limiterDuration<&LimiterState::nextFreeMs>,
     fieldNumber<LimiterState, &LimiterState::nextFreeMs>,
     endOf<LimiterState, &LimiterState::nextFreeMs>},
    {"retry", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Retry after"), retryText,
     fieldNumber<LimiterState, &LimiterState::retryAfterMs>,
     endOf<LimiterState, &LimiterState::retryAfterMs>},
    layoutColumn,
    {"window", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Window"),
     fieldDuration<LimiterState, &LimiterState::windowMs>,
     fieldNumber<LimiterState, &LimiterState::windowMs>},
};

const Metric limiterMetricTable[] = {
    {"occupancy", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "Used"),
     fieldNumber<LimiterState, &LimiterState::occupancy>},
    {"limit", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "Limit"),
     fieldNumber<LimiterState, &LimiterState::limit>},
    {"retry", Metric::Unit::Milliseconds, QT_TRANSLATE_NOOP("lk::Column", "Retry after"),
     fieldNumber<LimiterState, &LimiterState::retryAfterMs>},
    {"free", Metric::Unit::Milliseconds, QT_TRANSLATE_NOOP("lk::Column", "Next free"),
     fieldNumber<LimiterState, &LimiterState::nextFreeMs>},
};

} // namespace

std::span<const Column> limiterColumns()
{
    return limiterColumnTable;
}

std::span<const Metric> limiterMetrics()
{
    return limiterMetricTable;
}

} // namespace lk
