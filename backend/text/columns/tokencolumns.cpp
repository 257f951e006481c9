// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/columns/columnparts.h"
#include "backend/text/columns/kindcolumns.h"

namespace lk {

namespace {

using namespace columnparts;

const Column shownColumns[] = {
    nameColumn,
    stateColumn,
    {"ttl", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Expires in"), ttlText,
     ttlNumber, ttlEnd, true},
    {"uses", ColumnStyle::Count, QT_TRANSLATE_NOOP("lk::Column", "Uses"),
     fieldCount<TokenState, &TokenState::uses>, fieldNumber<TokenState, &TokenState::uses>},
    layoutColumn,
};

const Metric keptMetrics[] = {
    {"ttl", Metric::Unit::Milliseconds, QT_TRANSLATE_NOOP("lk::Column", "Expires in"), timeLeft,
     true},
};

} // namespace

std::span<const Column> tokenColumns()
{
    return shownColumns;
}

std::span<const Metric> tokenMetrics()
{
    return keptMetrics;
}

} // namespace lk
