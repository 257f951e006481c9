// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <array>
#include <optional>

namespace lk {

/// The unit of a stored time. Libraries never say it; its magnitude does.
enum class TimeUnit : quint8 { Seconds, Milliseconds, Microseconds, Nanoseconds };
inline constexpr std::array allTimeUnits{TimeUnit::Seconds, TimeUnit::Milliseconds,
                                         TimeUnit::Microseconds, TimeUnit::Nanoseconds};

/// The unit in which the number is a time between 2008 and 2100 since 1970; nothing if in none.
/// So 6e15 to 9e15 (a job's due time times 4096, as Bull keeps it) is no time here.
std::optional<TimeUnit> timeUnitOf(double value);

double toMs(double value, TimeUnit unit);
double fromMs(double ms, TimeUnit unit);

/// Whole milliseconds; infinities and what does not fit are cut to the ends of a sane range.
qint64 wholeMs(double ms);

} // namespace lk
