// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/askmap.h"

#include "backend/redis/replies.h"
#include "backend/redis/topology/clustermap.h"

#include <QPointer>

namespace lk {

Task<BatchResult> queryMap(Link& node, QObject* context)
{
    const QPointer<Link> there(&node);
    BatchResult result = co_await replies(node, ClusterMap::commands(), context);
    const bool denied = result && result->front().isError() &&
                        !result->front().text.contains("cluster support disabled");
    if (denied && there) {
        BatchResult shards = co_await replies(node, ClusterMap::shardsCommand(), context);
        if (shards)
            result->push_back(std::move(shards->front()));
    }
    co_return result;
}

} // namespace lk
