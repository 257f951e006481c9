// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <array>
#include <optional>

namespace lk {

/// The unit of a stored time. Libraries do not store the unit; it is derived from the magnitude.
enum class TimeUnit : quint8 { Seconds, Milliseconds, Microseconds, Nanoseconds };
inline constexpr std::array allTimeUnits{TimeUnit::Seconds, TimeUnit::Milliseconds,
                                         TimeUnit::Microseconds, TimeUnit::Nanoseconds};

/// The unit in which the number, counted since 1970, is a time between 2008 and 2100; empty if
/// there is none. So 6e15 to 9e15 (Bull's due times multiplied by 4096) is not a time.
std::optional<TimeUnit> timeUnitOf(double value);

double toMs(double value, TimeUnit unit);
double fromMs(double ms, TimeUnit unit);

/// Converts to whole milliseconds. Clamps infinities and values out of range.
qint64 wholeMs(double ms);

} // namespace lk
