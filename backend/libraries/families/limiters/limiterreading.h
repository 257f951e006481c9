// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/families/marks.h"

namespace lk {

// The arithmetic that all limiters share. A mark counts while it is later than the cutoff, which
// is now minus the window; it leaves at its own time plus the window.

/// Takes limit and window from the declaration, where there is one.
LimiterState declaredLimiter(const Primitive& primitive, Algorithm algorithm);

/// now - window, as scripts have it that work with whole milliseconds or fractions.
std::optional<double> cutoffOf(std::optional<qint64> windowMs, qint64 nowMs);

/// Fills occupancy, accepted, next free and revisit time from the marks. Limit and window have to
/// be in the limiter already where they are known; without a window every stored mark counts
/// and the occupancy is an upper bound.
void countMarks(LimiterState& limiter, qint64& revisitAtMs, const Marks& marks,
                std::optional<double> cutoffMs, qint64 nowMs);

/// The window of a key that is given its whole window as TTL on every hit. Snapped to a whole
/// second where it is near one; a previous reading that is as near is kept so that it stands still.
std::optional<qint64> windowFromTtl(const Marks& marks, qint64 nowMs, const State* previous);

/// Fills what follows from the rest: remaining, retry-after, health and urgency.
void finalizeLimiter(State& state, bool neverFrees = false);

/// The state of a limiter of which no key exists: nothing used.
void finalizeAbsentLimiter(State& state);

} // namespace lk
