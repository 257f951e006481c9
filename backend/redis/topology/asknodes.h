// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/link.h"

namespace lk {

/// What each node said to one command without a key, in the order of Link::dataNodes(). A node that
/// does not answer is an error reply.
using NodeReplies = std::vector<Reply>;

/// Sends it to every node. The handler comes once, as Link::send() promises.
void queryNodes(Link& link, const Command& command, QObject* context,
                std::function<void(const NodeReplies&)> handler);

} // namespace lk
