// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// A state that was read before, as it was at nowMs while nothing was written: what is left is less
/// by then, what has lasted is longer.
StatePtr agedState(const StatePtr& state, qint64 nowMs);

/// By how much the number of that name, a Metric::id, changes in a millisecond meanwhile: -1, down
/// to 0, of what is left; 1 of what has lasted.
int driftOf(Kind kind, QByteArrayView metric);

/// Time alone changes what is shown of it.
bool runsWithTime(const State& state);

} // namespace lk
