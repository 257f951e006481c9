// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

// The actions on Redisson's primitives.
namespace lk::actions {

const Action& freeRedissonPermits();
const Action& repairRedissonValue();
const Action& setRedissonRate();
const Action& releaseRedissonLock();
const Action& releaseRedissonPermit();
const Action& releaseRedissonCount();

} // namespace lk::actions
