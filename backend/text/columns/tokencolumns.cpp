// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/columns/columnparts.h"
#include "backend/text/columns/kindcolumns.h"

namespace lk {

namespace {

using namespace columnparts;

const Column tokenColumnTable[] = {
    nameColumn,
    stateColumn,
    {"ttl", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Expires in"), ttlText,
     ttlNumber, ttlEnd, true},
    {"uses", ColumnStyle::Count, QT_TRANSLATE_NOOP("lk::Column", "Uses"),
     fieldCount<TokenState, &TokenState::uses>, fieldNumber<TokenState, &TokenState::uses>},
    layoutColumn,
};

const Metric tokenMetricTable[] = {
    {"ttl", Metric::Unit::Milliseconds, QT_TRANSLATE_NOOP("lk::Column", "Expires in"), timeLeft,
     true},
};

} // namespace

std::span<const Column> tokenColumns()
{
    return tokenColumnTable;
}

std::span<const Metric> tokenMetrics()
{
    return tokenMetricTable;
}

} // namespace lk
