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

/// What one Sentinel says of a group. A value.
struct SentinelAnswer
{
    /// Another Sentinel of the group, as this one announces it.
    struct Other
    {
        QByteArray id; ///< the same wherever it is asked for; empty: untold
        ServerUrl::Address address;
    };

    ServerUrl::Address master; ///< as announced
    qint64 configEpoch = -1;   ///< grows with each failover; -1: untold
    QByteArray id;             ///< the Sentinel's own; empty before Redis 6.2
    std::vector<Other> others; ///< Sentinels of the group that it reaches

    /// What to ask a Sentinel; the replies go to fromReplies().
    static std::vector<Command> commands(const QString& masterName);
    /// Of failovers: the first is told as soon as the new master has taken over, which is when
    /// Sentinels begin to name it; the second when its replicas follow it, and by those that hear
    /// of it from others.
    static const std::vector<QByteArray>& channels();
    /// The error says in words why this Sentinel is of no help.
    static Result<SentinelAnswer> fromReplies(std::span<const Reply> replies);
};

/// What a Sentinel at that address said about the login, as that: its users are not the servers'.
/// Any other error is left as it is.
Error ofSentinel(const Error& error, const QString& address);

/// What to do with the answers of several Sentinels: the master that the newest configuration
/// names; of several as new the one that most name, and then the current one. Nothing of nobody.
std::optional<ServerUrl::Address> masterOf(std::span<const SentinelAnswer> answers,
                                           const std::optional<ServerUrl::Address>& current);

} // namespace lk
