// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/link.h"

namespace lk {

/// Asks one node for its view of the cluster, for ClusterMap::fromReplies(). Also sends CLUSTER
/// SHARDS if NODES is denied. The handler is called once, as Link::send() promises.
void queryMap(Link& node, QObject* context, BatchHandler handler);

} // namespace lk
