// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/link.h"

namespace lk {

/// The nodes' replies to one command without a key, in the order of Link::dataNodes(). A node that
/// does not answer has an error reply.
using NodeReplies = std::vector<Reply>;

/// Sends the command to every node. The handler is called once, as Link::send() promises.
void queryNodes(Link& link, const Command& command, QObject* context,
                std::function<void(const NodeReplies&)> handler);

} // namespace lk
