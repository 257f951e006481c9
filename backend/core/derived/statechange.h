// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// Nothing but time went by between the two: same holder, same contents as far as they are read,
/// same end. What only ages or runs down is the same matter.
bool isSameMatter(const State& a, const State& b);

} // namespace lk
