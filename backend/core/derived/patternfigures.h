// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

// What the named numbers of a pattern mean. Pure.

/// The value of that name; nothing if there is none or it is unknown.
std::optional<double> valueOf(const PatternState& pattern, QByteArrayView id);

/// The number that tells most with its name: the layout's first one; an array of unknown record
/// size has its bytes only. Null if it is unknown.
const std::pair<QByteArray, double>* mainValue(const PatternState& pattern);
/// The number that tells most: how many pages, members, users. Where that is unknown, how many
/// bytes; nothing if that is unknown, too.
std::optional<double> mainNumber(const PatternState& pattern);
/// Of a number that an INCR made: it has no unit but grows.
bool isCounter(const PatternState& pattern);

/// How many of the newest keys of a series of bitmaps are told together: a week of days.
inline constexpr int lastPeriods = 7;
/// The name of the value that tells how many different ids there are in the newest so many keys.
QByteArray idsOfLastName(size_t keys);

/// The same where they are too large to be laid over each other: as many as in the fullest at
/// least, as in all together at most. BITOP would tell, and writes.
struct IdRange
{
    int keys = 0; ///< how many were read; at most those asked for
    double atLeast = 0;
    double atMost = 0;
};
/// The exact number where it is known. Nothing if some of these keys is not counted, or there is
/// none.
std::optional<IdRange> idsOfLast(const PatternState& pattern, int keys);

} // namespace lk
