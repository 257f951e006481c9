// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/task.h"
#include "backend/redis/link.h"

namespace lk {

/// Asks one node for its view of the cluster, for ClusterMap::fromReplies(). Also sends CLUSTER
/// SHARDS if NODES is denied.
Task<BatchResult> queryMap(Link& node, QObject* context);

} // namespace lk
