// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"

#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace lk {

/// True if findings would report that a hash never expires: its key has no TTL, and a lock, a token
/// or a counter should have one. Its fields may still expire by themselves.
bool lacksExpiry(const State& state);

/// Finds out when a hash without a TTL ends because all of its fields expire (HEXPIRE); that is
/// then its TTL. Reads the fields that the layout asked for and, if the hash has more, at most 32
/// of the others. A server without HPTTL is not asked: the connection answers for it.
class FieldExpiry
{
public:
    /// Takes the commands and replies of a read by the layout whose outcome lacksExpiry().
    FieldExpiry(QByteArray key, std::vector<Command> asked, std::vector<Reply> replies);

    /// Commands of the current step. Empty once there is nothing more to ask.
    const std::vector<Command>& commands() const { return m_commands; }
    /// Takes the replies to commands(), one for each.
    void take(std::span<const Reply> replies);

    /// The layout's commands, and its replies with the TTL that was found.
    const std::vector<Command>& asked() const { return m_asked; }
    const std::vector<Reply>& replies() const { return m_replies; }

private:
    void ask(const std::vector<QByteArray>& fields);

    QByteArray m_key;
    std::vector<Command> m_asked;
    std::vector<Reply> m_replies;
    std::optional<size_t> m_ttlAt; ///< the reply that says that there is none
    qint64 m_fields = std::numeric_limits<qint64>::max(); ///< how many the hash has, if known
    bool m_sampled = false;
    std::vector<Command> m_commands;
};

} // namespace lk
