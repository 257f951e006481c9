// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

// Actions for queues that are lists: consumers take from the right end; delayed jobs are in a
// sorted set.
namespace lk::actions {

const Action& requeueJobs();
const Action& discardJobs();
const Action& deadLetterJobs();
const Action& retryJobs();
const Action& promoteJobs();
const Action& pushItem();
const Action& rotateList();

} // namespace lk::actions
