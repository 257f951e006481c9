// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/task.h"
#include "backend/redis/link.h"
#include "backend/redis/server/clientlist.h"

namespace lk {

/// Reads the clients of all nodes by CLIENT LIST. Fails only if no node answers.
Task<Result<std::vector<ClientEntry>>> queryClients(Link& link, QObject* context);

} // namespace lk
