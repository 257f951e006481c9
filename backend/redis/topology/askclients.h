// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/link.h"
#include "backend/redis/server/clientlist.h"

namespace lk {

/// Reads the clients of all nodes by CLIENT LIST. Fails only if no node answers. The handler is
/// called once, as Link::send() promises.
void queryClients(Link& link, QObject* context,
                  std::function<void(const Result<std::vector<ClientEntry>>&)> handler);

} // namespace lk
