// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "backend/redis/server/clientlist.h"

#include <vector>

namespace lk {

// Some libraries keep no list of their workers but name their connections, so that CLIENT LIST
// returns them. It is sent once for all queues, never for each.

/// Returns true if the queue's library names its workers' connections.
bool hasNamedWorkers(const State& state);

/// Puts the workers that are connected into the queue's state: each with the jobs it has in
/// progress, those without a connection whose jobs' locks live after them. Pure.
void takeNamedWorkers(State& state, const std::vector<ClientEntry>& clients);

} // namespace lk
