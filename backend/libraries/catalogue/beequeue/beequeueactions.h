// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

namespace lk::actions {

/// Returns the actions on jobs, in menu order.
ActionList beeQueueActions();

} // namespace lk::actions
