// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

namespace lk::actions {

/// The actions for the jobs of a stream, in a menu's order.
ActionList streamActions();

} // namespace lk::actions
