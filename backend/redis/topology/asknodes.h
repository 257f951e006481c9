// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/task.h"
#include "backend/redis/link.h"

namespace lk {

/// The nodes' replies to one command without a key, in the order of Link::dataNodes(). A node that
/// does not answer has an error reply.
using NodeReplies = std::vector<Reply>;

/// Sends the command to every node.
Awaited<NodeReplies> queryNodes(Link& link, const Command& command, QObject* context);

} // namespace lk
