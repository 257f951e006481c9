// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/columns/columnparts.h"
#include "backend/text/columns/kindcolumns.h"

#include "backend/core/names/keyname.h"

namespace lk {

namespace {

using namespace columnparts;

QString ownerText(const State& s)
{
    const auto* l = s.as<LockState>();
    if (l && l->holdersTotal > 1)
        return l->shared ? ColumnText::tr("%Ln readers", nullptr, int(l->holdersTotal))
                         : ColumnText::tr("%Ln holders", nullptr, int(l->holdersTotal));
    if (!l || !l->ownerKnown)
        return unknown();
    return displayPreview(l->ownerLabel->isEmpty() ? l->owner : *l->ownerLabel, 64);
}

QString leaseText(const State& s)
{
    const auto* l = s.as<LockState>();
    if (!l || s.problem)
        return unknown();
    if (l->phase == LockState::Phase::NoTtl)
        return ColumnText::tr("never", "lease");
    return durationText(l->leaseMs);
}

std::optional<qint64> heldFor(const State& s)
{
    const auto* l = s.as<LockState>();
    if (!l || l->phase == LockState::Phase::Free || s.observed.sinceMs == 0)
        return std::nullopt;
    return s.asOfMs - s.observed.sinceMs;
}

std::optional<qint64> heldSince(const State& s)
{
    return heldFor(s) ? std::optional(s.observed.sinceMs) : std::nullopt;
}

QString heldForText(const State& s)
{
    const auto ms = heldFor(s);
    // The time since first seen is a lower bound: the lock may have been held before this console
    // started.
    return ms ? QStringLiteral("\u2265\u2009") + formatDuration(*ms) : unknown();
}

// Sorts by the start, because rows are read at different times: an earlier start means held for
// longer.
Number heldForNumber(const State& s)
{
    return heldFor(s) ? Number(-double(s.observed.sinceMs)) : std::nullopt;
}

Number leaseEnd(const State& s)
{
    const auto* l = s.as<LockState>();
    return l && l->leaseMs && !s.problem ? Number(double(s.asOfMs + *l->leaseMs)) : std::nullopt;
}

QString renewalsText(const State& s)
{
    return QLocale().toString(s.observed.renewals);
}

// Empty unless the lock is held: an expired lease has no holder.
Number leaseNumber(const State& s)
{
    const auto* l = s.as<LockState>();
    return l && l->phase == LockState::Phase::Held && !s.problem ? number(l->leaseMs)
                                                                 : std::nullopt;
}

Number renewalsNumber(const State& s)
{
    return double(s.observed.renewals);
}

const Column lockColumnTable[] = {
    nameColumn,
    stateColumn,
    {"owner", ColumnStyle::Mono, QT_TRANSLATE_NOOP("lk::Column", "Owner"), ownerText, nullptr},
    {"lease", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "TTL"), leaseText, leaseEnd,
     endOf<LockState, &LockState::leaseMs>, true},
    {"held", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Held for"), heldForText,
     heldForNumber, heldSince},
    {"renewals", ColumnStyle::Count, QT_TRANSLATE_NOOP("lk::Column", "Renewals"), renewalsText,
     renewalsNumber},
    layoutColumn,
};

const Metric lockMetricTable[] = {
    {"lease", Metric::Unit::Milliseconds, QT_TRANSLATE_NOOP("lk::Column", "TTL"), leaseNumber,
     true},
};

} // namespace

std::span<const Column> lockColumns()
{
    return lockColumnTable;
}

std::span<const Metric> lockMetrics()
{
    return lockMetricTable;
}

} // namespace lk
