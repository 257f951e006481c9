// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

// The meaning of a pattern's named numbers. Pure.

/// The value with that name; empty if there is none or it is unknown.
std::optional<double> valueOf(const PatternState& pattern, QByteArrayView id);

/// The most important number and its name: the layout's first one. For an array of unknown record
/// size it is the bytes. Null if it is unknown.
const std::pair<QByteArray, double>* mainValue(const PatternState& pattern);
/// The most important number: the count of pages, members or users; the bytes if that is unknown;
/// empty if both are unknown.
std::optional<double> mainNumber(const PatternState& pattern);
/// True for a counter made by INCR: a number without a unit that grows.
bool isCounter(const PatternState& pattern);

/// How many of the newest keys of a series of bitmaps are counted together: a week of days.
inline constexpr int lastPeriods = 7;
/// The name of the value that counts the distinct ids in the newest keys.
QByteArray idsOfLastName(size_t keys);

/// Bounds of the distinct ids, for bitmaps too large to be combined: at least the count of the
/// fullest, at most the sum of all. BITOP would compute the number, but it writes.
struct IdRange
{
    int keys = 0; ///< how many keys were read; at most the requested number
    double atLeast = 0;
    double atMost = 0;
};
/// The exact number if it is known, else bounds. Empty if a key is not counted, or if there are no
/// keys.
std::optional<IdRange> idsOfLast(const PatternState& pattern, int keys);

} // namespace lk
