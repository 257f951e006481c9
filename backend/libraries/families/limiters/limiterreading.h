// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/families/marks.h"

namespace lk {

// The arithmetic that all limiters share. A mark counts while it is later than the cutoff, which
// is now minus the window; it leaves at its own time plus the window.

/// A limiter with the limit and window of the declaration, if there is one.
LimiterState declaredLimiter(const Primitive& primitive, Algorithm algorithm);

/// nowMs - windowMs. Nothing if the window is unknown.
std::optional<double> cutoffOf(std::optional<qint64> windowMs, qint64 nowMs);

/// Fills occupancy, accepted, next free and revisit time from the marks. Set limit and window
/// before, if they are known. Without a window, every stored mark counts and the occupancy is an
/// upper bound.
void countMarks(LimiterState& limiter, qint64& revisitAtMs, const Marks& marks,
                std::optional<double> cutoffMs, qint64 nowMs);

/// The window of a key whose TTL is set to the window on every hit. Snaps to a whole second if it
/// is near one. Keeps a previous value that is as near, so that it does not flicker.
std::optional<qint64> windowFromTtl(const Marks& marks, qint64 nowMs, const State* previous);

/// Fills in the derived fields: remaining, retry-after, health and urgency.
void finalizeLimiter(State& state, bool neverFrees = false);

/// Fills in the state of a limiter without any key: nothing is used.
void finalizeAbsentLimiter(State& state);

} // namespace lk
