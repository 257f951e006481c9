// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/state.h"
#include "backend/core/task.h"
#include "backend/polling/derived/firstseen.h"
#include "backend/redis/link.h"

namespace lk {

/// One for each requested primitive; null if it could not be read.
using FreshStates = std::vector<StatePtr>;

/// Reads the primitives immediately and batch by batch, independently of the polling schedule.
/// connection, firstSeen and local must outlive the read.
Task<FreshStates> readFreshStates(Link& connection, std::vector<PrimitivePtr> primitives,
                                  FirstSeen& firstSeen, ServerClock clock, const Clock& local,
                                  QObject* context);

} // namespace lk
