// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// Returns an earlier state moved to nowMs, on the assumption that nothing was written since.
/// Remaining times shrink, ages grow.
StatePtr agedState(const StatePtr& state, qint64 nowMs);

/// How much the number with that name, a Metric::id, changes per millisecond: -1, down to 0, for a
/// remaining time; 1 for an age.
int driftOf(Kind kind, QByteArrayView metric);

/// True if time alone changes what is shown of the state.
bool runsWithTime(const State& state);

} // namespace lk
