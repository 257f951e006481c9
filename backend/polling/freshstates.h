// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/state.h"
#include "backend/polling/derived/firstseen.h"
#include "backend/redis/link.h"

#include <functional>

namespace lk {

/// One for each requested primitive; null if it could not be read.
using FreshStates = std::vector<StatePtr>;

/// Reads the primitives immediately and batch by batch, independently of the polling schedule.
/// Calls the handler once, in the connection's thread, unless context is destroyed. connection,
/// firstSeen and local must outlive the read.
void readFreshStates(Link& connection, std::vector<PrimitivePtr> primitives, FirstSeen& firstSeen,
                     const ServerClock& clock, const Clock& local, QObject* context,
                     std::function<void(const FreshStates&)> handler);

} // namespace lk
