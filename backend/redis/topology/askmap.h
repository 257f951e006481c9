// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/link.h"

namespace lk {

/// What one node tells of its cluster, for ClusterMap::fromReplies(): by CLUSTER SHARDS as well
/// where it may not be asked for NODES. The handler comes once, as Link::send() promises.
void queryMap(Link& node, QObject* context, BatchHandler handler);

} // namespace lk
