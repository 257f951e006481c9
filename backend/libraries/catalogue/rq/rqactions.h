// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

namespace lk::actions {

/// What can be done with its jobs, in a menu's order.
ActionList rqActions();

} // namespace lk::actions
