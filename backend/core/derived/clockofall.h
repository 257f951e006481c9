// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// Every node decodes by its own time, and all are told by one clock: what a state says is relative
/// to its own moment, which is put where the clock of the node that answers for all has it.
inline void tellByClockOfAll(State& state, qint64 shiftMs)
{
    state.asOfMs += shiftMs;
    if (state.revisitAtMs > 0)
        state.revisitAtMs += shiftMs;
}

} // namespace lk
