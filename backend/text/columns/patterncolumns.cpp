// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/columns/columnparts.h"
#include "backend/text/columns/kindcolumns.h"

#include "backend/core/derived/patternfigures.h"
#include "backend/text/numbers/figures.h"

namespace lk {

namespace {

using namespace columnparts;

QString holdsText(const State& s)
{
    const auto* p = s.as<PatternState>();
    return p && !s.problem ? mainText(*p) : unknown();
}

Number holdsNumber(const State& s)
{
    const auto* p = s.as<PatternState>();
    return p && !s.problem ? mainNumber(*p) : std::nullopt;
}

Number perMinuteNumber(const State& s)
{
    const auto* p = s.as<PatternState>();
    return p && !s.problem ? p->perMinute : std::nullopt;
}

const Column patternColumnTable[] = {
    nameColumn,
    stateColumn,
    {"holds", ColumnStyle::Figure, QT_TRANSLATE_NOOP("lk::Column", "Holds"), holdsText,
     holdsNumber},
    {"ttl", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Expires in"), ttlText,
     ttlNumber, ttlEnd, true},
    {"layout", ColumnStyle::Layout, QT_TRANSLATE_NOOP("lk::Column", "Layout"), layoutText, nullptr},
};

const Metric patternMetricTable[] = {
    {"holds", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "Holds"), holdsNumber},
    {"ttl", Metric::Unit::Milliseconds, QT_TRANSLATE_NOOP("lk::Column", "Expires in"), timeLeft,
     true},
    {"pace", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "Per minute, at least"),
     perMinuteNumber},
};

} // namespace

std::span<const Column> patternColumns()
{
    return patternColumnTable;
}

std::span<const Metric> patternMetrics()
{
    return patternMetricTable;
}

} // namespace lk
