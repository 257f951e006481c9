// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

// What can be done to limiters of any library.
namespace lk::actions {

const Action& checkLimiter();
const Action& clearLimiter();
const Action& capHorizon();
const Action& freeMarks();
const Action& freeCount();
const Action& repairCounter();
const Action& openGate();

} // namespace lk::actions
