// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/task.h"
#include "backend/redis/link.h"

namespace lk {

/// Awaits the replies to commands that only read; see Link::send().
inline Awaited<BatchResult> replies(Link& link, std::vector<Command> commands, QObject* context)
{
    return Awaited<BatchResult>([&link, commands = std::move(commands), context](auto then) {
        link.send(commands, context, then);
    });
}

inline Awaited<BatchResult> replies(Link& link, const Command& command, QObject* context)
{
    return replies(link, std::vector{command}, context);
}

/// The same for a command that may write; see Link::sendActing().
inline Awaited<BatchResult> actingReplies(Link& link, const Command& command, QObject* context)
{
    return Awaited<BatchResult>(
        [&link, command, context](auto then) { link.sendActing({command}, context, then); });
}

} // namespace lk
