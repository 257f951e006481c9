// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

// sidekiq-unique-jobs.
namespace lk::actions {

const Action& releaseDigest();

} // namespace lk::actions
