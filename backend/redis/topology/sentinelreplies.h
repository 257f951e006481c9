// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/connection.h"
#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"
#include "backend/redis/url.h"

#include <optional>
#include <span>
#include <vector>

namespace lk {

/// One Sentinel's answer about a group. A value.
struct SentinelAnswer
{
    /// Another Sentinel of the group, as this one announces it.
    struct Other
    {
        QByteArray id; ///< the same at each of its addresses; empty: not reported
        ServerUrl::Address address;
    };

    ServerUrl::Address master; ///< as announced
    qint64 configEpoch = -1;   ///< grows with each failover; -1: not reported
    QByteArray id;             ///< the Sentinel's own; empty before Redis 6.2
    std::vector<Other> others; ///< Sentinels of the group that it reaches

    /// The commands for a Sentinel; pass the replies to fromReplies().
    static std::vector<Command> commands(const QString& masterName);
    /// The channels that announce failovers. The first one reports as soon as the new master has
    /// taken over, when Sentinels begin to name it. The second one reports when its replicas follow
    /// it, and from Sentinels that learn it from others.
    static const std::vector<QByteArray>& channels();
    /// The error's text explains why this Sentinel cannot help.
    static Result<SentinelAnswer> fromReplies(std::span<const Reply> replies);
};

/// Turns a login error into one of the Sentinel at that address, which has users of its own.
/// Returns any other error unchanged.
Error ofSentinel(const Error& error, const QString& address);

/// Returns the master in the newest configuration. If several are equally new, returns the one that
/// most Sentinels name, or else the current one. Empty if there are no answers.
std::optional<ServerUrl::Address> masterOf(std::span<const SentinelAnswer> answers,
                                           const std::optional<ServerUrl::Address>& current);

} // namespace lk
