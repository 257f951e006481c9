// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

// What the named numbers of a pattern mean. Pure.

/// The value of that name; nothing if there is none or it is unknown.
std::optional<double> valueOf(const PatternState& pattern, QByteArrayView id);

/// The number that tells most: how many pages, members, users. Where that is unknown, how many
/// bytes; nothing if that is unknown, too.
std::optional<double> mainNumber(const PatternState& pattern);
/// What mainNumber() counts: "pages", "members".
QString mainUnit(const PatternState& pattern);
/// Both: "12 pages", "1,234 users"; a dash where unknown.
QString mainText(const PatternState& pattern);

/// Of a number that an INCR made: it has no unit but grows.
bool isCounter(const PatternState& pattern);

/// How many different ids there are in the last keys of a series of bitmaps: as many as in the
/// fullest at least, as in all together at most. BITOP would tell, and writes.
struct IdRange
{
    int keys = 0; ///< how many were looked at; at most those asked for
    double atLeast = 0;
    double atMost = 0;
};
/// Nothing if some of these keys is not counted, or there is none.
std::optional<IdRange> idsOfLast(const PatternState& pattern, int keys);

} // namespace lk
