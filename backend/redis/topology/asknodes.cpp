// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/asknodes.h"

namespace lk {

namespace {

struct Asking
{
    NodeReplies replies;
    size_t left = 0;
    std::function<void(const NodeReplies&)> handler;
};

} // namespace

void queryNodes(Link& link, const Command& command, QObject* context,
                std::function<void(const NodeReplies&)> handler)
{
    const std::vector<Link*> nodes = link.dataNodes();
    const auto asking = std::make_shared<Asking>();
    asking->replies.resize(nodes.size());
    asking->left = nodes.size();
    asking->handler = std::move(handler);
    for (size_t i = 0; i < nodes.size(); ++i) {
        nodes[i]->send({command}, context, [asking, i](BatchResult result) {
            asking->replies[i] = result
                                     ? std::move(result->front())
                                     : Reply::error("NODEDOWN " + result.error().detail.toUtf8());
            if (--asking->left == 0)
                asking->handler(asking->replies);
        });
    }
}

} // namespace lk
