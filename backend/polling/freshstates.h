// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/state.h"
#include "backend/polling/derived/firstseen.h"
#include "backend/redis/link.h"

#include <functional>

namespace lk {

/// One for each primitive that was asked for; null for what could not be read.
using FreshStates = std::vector<StatePtr>;

/// Reads these at once, whoever else reads them and when, a batch at a time. The handler comes
/// once, in the connection's thread; not if context is gone. It must outlive the reading.
void readFreshStates(Link& connection, std::vector<PrimitivePtr> primitives, FirstSeen& firstSeen,
                     const ServerClock& clock, const Clock& local, QObject* context,
                     std::function<void(const FreshStates&)> handler);

} // namespace lk
