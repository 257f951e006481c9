// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// Adds to a freshly decoded state what only watching tells: since when, how often renewed,
/// and, for a primitive whose keys are gone, how it ended. Pure.
/// previous is the last state of the same primitive, or null on first sight.
void observe(State& state, const State* previous);

} // namespace lk
