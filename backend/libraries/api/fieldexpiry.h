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

/// True where findings would say of a hash that it never expires: its key has no TTL, and a lock, a
/// token or a counter should end. Its fields may end by themselves.
bool lacksExpiry(const State& state);

/// Finds out when a hash without a TTL ends because all of its fields do (HEXPIRE): then that is
/// its TTL. Only reads the names that the layout asked for; where these are not all, 32 at most of
/// the others. A version without HPTTL is not asked: the connection answers for it.
class FieldExpiry
{
public:
    /// Of the layout's read, whose outcome lacksExpiry().
    FieldExpiry(QByteArray key, std::vector<Command> asked, std::vector<Reply> replies);

    /// Commands of the present step; none once there is nothing more to ask.
    const std::vector<Command>& commands() const { return m_commands; }
    /// Takes the replies to commands(), one for each.
    void take(std::span<const Reply> replies);

    /// The layout's commands, and the replies with the TTL as it was found to be.
    const std::vector<Command>& asked() const { return m_asked; }
    const std::vector<Reply>& replies() const { return m_replies; }

private:
    void ask(const std::vector<QByteArray>& fields);

    QByteArray m_key;
    std::vector<Command> m_asked;
    std::vector<Reply> m_replies;
    std::optional<size_t> m_ttlAt; ///< the reply that says that there is none
    qint64 m_fields = std::numeric_limits<qint64>::max(); ///< how many the hash has, where known
    bool m_sampled = false;
    std::vector<Command> m_commands;
};

} // namespace lk
