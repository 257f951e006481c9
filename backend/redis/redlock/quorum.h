// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

#include <QByteArray>

#include <optional>
#include <vector>

namespace lk {

/// What one server of a group says of a lock's name.
struct RedlockVote
{
    QString endpoint;
    std::optional<Error> error; ///< it could not be asked; the rest says nothing then
    bool present = false;
    QByteArray owner;    ///< the value, or the field of a Redisson lock
    qint64 ttlMs = -1;   ///< -1: no TTL
    bool isHash = false; ///< as Redisson keeps it

    bool operator==(const RedlockVote&) const = default;
};

/// What the servers of a group say together.
struct RedlockState
{
    /// What the votes come to.
    enum class Standing : quint8 {
        Free,     ///< on no server that answers, and enough of them do
        Held,     ///< one owner has a quorum
        NoQuorum, ///< somebody has it on some servers, and nobody on enough
        Split,    ///< several owners, none of whom has a quorum
        Unknown,  ///< too few servers answer to tell
    };

    QByteArray name;
    std::vector<RedlockVote> votes; ///< in the group's order
    Standing standing = Standing::Unknown;
    QByteArray owner;    ///< who has it on the most servers; empty: nobody
    int holds = 0;       ///< on how many
    int others = 0;      ///< on how many somebody else has it
    int unreachable = 0; ///< servers that could not be asked
    size_t quorum = 0;   ///< servers that it takes
    /// Held: until fewer than a quorum have it, less what Redlock allows for clocks that run
    /// apart: a hundredth and 2 ms; nothing: no TTL.
    std::optional<qint64> validityMs;

    bool lacksQuorum() const
    {
        return standing == Standing::NoQuorum || standing == Standing::Split;
    }
    int free() const { return int(votes.size()) - holds - others - unreachable; }
    bool operator==(const RedlockState&) const = default;
};

/// Counts the votes.
RedlockState countVotes(QByteArray name, std::vector<RedlockVote> votes, size_t quorum);

/// "held", "no-quorum": as programs read it. Not translated.
QString standingId(RedlockState::Standing standing);
/// One sentence: by whom, on how many servers, for how long. Translated.
QString redlockText(const RedlockState& state);
/// "3 of 5; 1 free, 1 unreachable": where it is. Translated.
QString redlockCounts(const RedlockState& state);
/// "quorum reached", "split between owners". Translated.
QString standingText(RedlockState::Standing standing);
/// What one server says: "free", "held by X, TTL 9 m", or why it does not answer. Translated.
QString voteText(const RedlockVote& vote);
/// What to do; empty where nothing is wrong. Translated.
QString redlockAdvice(RedlockState::Standing standing);

} // namespace lk
