// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk::actions {

/// The primitive's name for people.
QString nameOf(const State& state);

/// How much of a limiter is used: "3 of 5 used".
QString seenLimiter(const State& state);

} // namespace lk::actions
