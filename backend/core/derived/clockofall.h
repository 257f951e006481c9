// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// Moves a state to the common clock. Each node's states are decoded by that node's time, and their
/// fields are relative to asOfMs. shiftMs converts it to the clock of the node that answers for
/// all.
inline void tellByClockOfAll(State& state, qint64 shiftMs)
{
    state.asOfMs += shiftMs;
    if (state.revisitAtMs > 0)
        state.revisitAtMs += shiftMs;
}

} // namespace lk
