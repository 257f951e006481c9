// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/askmap.h"

#include "backend/redis/topology/clustermap.h"

#include <QPointer>

namespace lk {

void queryMap(Link& node, QObject* context, BatchHandler handler)
{
    node.send(ClusterMap::commands(), context,
              [node = QPointer(&node), context = QPointer(context),
               handler = std::move(handler)](const BatchResult& result) {
                  const bool denied = result && result->front().isError() &&
                                      !result->front().text.contains("cluster support disabled");
                  if (!denied || !node || !context)
                      return handler(result);
                  node->send({ClusterMap::shardsCommand()}, context,
                             [handler, replies = *result](const BatchResult& shards) {
                                 std::vector<Reply> all = replies;
                                 if (shards)
                                     all.push_back(shards->front());
                                 handler(std::move(all));
                             });
              });
}

} // namespace lk
