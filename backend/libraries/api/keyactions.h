// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

// Actions for any key of a primitive.
namespace lk::actions {

const Action& setTtl();
const Action& deleteKeys();

} // namespace lk::actions
