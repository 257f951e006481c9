// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/derived/stateid.h"

namespace lk {

/// The word beside the state's icon: "full", "held", "stuck". Translated.
QString stateWord(StateId state);
QString stateWord(const State& state);

QString algorithmTitle(Algorithm algorithm); ///< translated

} // namespace lk
