// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/plan.h"
#include "backend/core/result.h"
#include "backend/redis/connection.h"
#include "backend/redis/serverinfo.h"

#include <functional>

namespace lk {

/// Why this server would not take the step, where that can be known without trying: a replica, keys
/// in different slots of a cluster. Nothing if it would.
std::optional<Error> preflight(const Plan& plan, const ServerInfo& info);

/// Why a connection must not act on what another one has shown: a replica answers there, or another
/// server than the one that was read. Both are what the servers said to each connection first.
std::optional<Error> preflightConnection(const ServerInfo& seen, const ServerInfo& acting);

/// Asks the server what it allows this user: INFO, whether there are scripts, and from Redis 7 on
/// what an ACL DRYRUN of the script says. The handler gets nothing if nothing speaks against it.
void runPreflight(Connection& connection, const Plan& plan, QObject* context,
                  std::function<void(std::optional<Error>)> handler);

} // namespace lk
