// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/timeunit.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr double earliestMs = 1.2e12; // January 2008
constexpr double latestMs = 4.1e12;   // December 2099
constexpr double sanestMs = 9e15;     // sums of two fit in 64 bits

double unitsPerMs(TimeUnit unit)
{
    switch (unit) {
    case TimeUnit::Seconds:
        return 1e-3;
    case TimeUnit::Microseconds:
        return 1e3;
    case TimeUnit::Nanoseconds:
        return 1e6;
    case TimeUnit::Milliseconds:
        break;
    }
    return 1;
}

} // namespace

std::optional<TimeUnit> timeUnitOf(double value)
{
    for (const TimeUnit unit : allTimeUnits) {
        const double ms = toMs(value, unit);
        if (ms >= earliestMs && ms <= latestMs)
            return unit;
    }
    return std::nullopt;
}

double toMs(double value, TimeUnit unit)
{
    // Seconds are multiplied, because 1e-3 has no exact double and would move boundaries.
    return unit == TimeUnit::Seconds ? value * 1000 : value / unitsPerMs(unit);
}

double fromMs(double ms, TimeUnit unit)
{
    return unit == TimeUnit::Seconds ? ms / 1000 : ms * unitsPerMs(unit);
}

qint64 wholeMs(double ms)
{
    if (std::isnan(ms))
        return 0;
    return qint64(std::floor(std::clamp(ms, -sanestMs, sanestMs)));
}

} // namespace lk
