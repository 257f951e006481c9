// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// Adds observed facts to a freshly decoded state: since when it holds, how often it was renewed,
/// and how a primitive whose keys are gone ended. Pure. previous is the last state of the same
/// primitive, or null if it is first seen.
void observe(State& state, const State* previous);

} // namespace lk
