// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

// Actions for limiters of any library.
namespace lk::actions {

const Action& checkLimiter();
const Action& clearLimiter();
const Action& capHorizon();
const Action& freeMarks();
const Action& freeCount();
const Action& repairCounter();
const Action& openGate();

} // namespace lk::actions
