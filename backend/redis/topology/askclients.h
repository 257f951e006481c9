// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/link.h"
#include "backend/redis/server/clientlist.h"

namespace lk {

/// The clients of all nodes by CLIENT LIST, or why not one of them told. The handler comes once, as
/// Link::send() promises.
void queryClients(Link& link, QObject* context,
                  std::function<void(const Result<std::vector<ClientEntry>>&)> handler);

} // namespace lk
