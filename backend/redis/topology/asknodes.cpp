// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/asknodes.h"

namespace lk {

Awaited<NodeReplies> queryNodes(Link& link, const Command& command, QObject* context)
{
    return Awaited<NodeReplies>([&link, command, context](auto then) {
        const std::vector<Link*> nodes = link.dataNodes();
        const auto replies = std::make_shared<NodeReplies>(nodes.size());
        const auto left = std::make_shared<size_t>(nodes.size());
        for (size_t i = 0; i < nodes.size(); ++i) {
            nodes[i]->send({command}, context, [=](BatchResult result) {
                (*replies)[i] = result ? std::move(result->front())
                                       : Reply::error("NODEDOWN " + result.error().detail.toUtf8());
                if (--*left == 0)
                    then(std::move(*replies));
            });
        }
    });
}

} // namespace lk
