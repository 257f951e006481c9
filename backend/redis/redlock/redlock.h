// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/snapshot.h"
#include "backend/redis/redlock/redlockgroup.h"

#include <QMetaType>

#include <memory>
#include <optional>
#include <vector>

namespace lk {

/// Sets the password of the servers whose URL has none, and which have the user of the first such
/// server of their group.
std::vector<RedlockGroup> withPassword(std::vector<RedlockGroup> groups, const QString& password);

/// One server's answer about a lock's name.
struct RedlockVote
{
    QString endpoint;
    std::optional<Error> error = {}; ///< why it could not be asked; the rest is unset then
    bool present = false;
    QByteArray owner = {}; ///< the value, or the field of a Redisson lock
    qint64 ttlMs = -1;     ///< -1: no TTL

    bool operator==(const RedlockVote&) const = default;
};

/// The combined answers of a group's servers.
struct RedlockState
{
    /// The result of the votes.
    enum class Standing : quint8 {
        Free,     ///< no server that answers has it, and enough servers answer
        Held,     ///< one owner has a quorum
        NoQuorum, ///< owners have it on some servers, but none on enough
        Split,    ///< several owners, none of whom has a quorum
        Unknown,  ///< too few servers answer to decide
    };

    QByteArray name;
    std::vector<RedlockVote> votes; ///< in the group's order
    Standing standing = Standing::Unknown;
    QByteArray owner;    ///< the owner on the most servers; empty if there is none
    int holds = 0;       ///< number of servers where it has it
    int others = 0;      ///< number of servers where another owner has it
    int unreachable = 0; ///< servers that could not be asked
    size_t quorum = 0;   ///< number of servers needed
    /// If Held: the time until fewer servers than the quorum have it, minus Redlock's allowance for
    /// clock drift (one percent and 2 ms). Empty if there is no TTL.
    std::optional<qint64> validityMs;

    bool lacksQuorum() const
    {
        return standing == Standing::NoQuorum || standing == Standing::Split;
    }
    int free() const { return int(votes.size()) - holds - others - unreachable; }
    bool operator==(const RedlockState&) const = default;
};

/// A server of a group, as it was read last.
struct RedlockServer
{
    QString endpoint;
    std::optional<Error> error; ///< why it could not be asked
    ServerClock clock;
    QString runId; ///< its process; empty if not known, as are the fields below
    NodeRole role = NodeRole::Unknown;
    QString master; ///< for a replica: "10.0.0.1:6379"
};

/// All locks of one group at a moment. A value; threads share it.
struct RedlockReport
{
    RedlockGroup group;
    std::vector<RedlockServer> servers; ///< in the group's order
    std::vector<RedlockState> locks;    ///< by name
    std::vector<Finding> findings;      ///< those of the group first, then those of its locks
    bool complete = false;              ///< every server that answers was scanned completely
    bool cut = false;                   ///< there are more names than were read

    size_t answering() const;
    const RedlockState* lock(const QByteArray& name) const; ///< null if it is not in locks
    /// Returns that lock; one that is not in locks is free on every server that answers.
    RedlockState stateOf(const QByteArray& name) const;
};

using RedlockReportPtr = std::shared_ptr<const RedlockReport>;

/// Counts the votes.
RedlockState countVotes(QByteArray name, std::vector<RedlockVote> votes, size_t quorum);

/// "held", "no-quorum": as programs read it. Not translated.
QString standingId(RedlockState::Standing standing);
/// One sentence with the owner, the number of servers and the remaining time. Translated.
QString redlockText(const RedlockState& state);
/// The counts by server: "3 of 5; 1 free, 1 unreachable". Translated.
QString redlockCounts(const RedlockState& state);
/// "quorum reached", "split between owners". Translated.
QString standingText(RedlockState::Standing standing);
/// One server's answer: "free", "held by X, TTL 9 m", or why it does not answer. Translated.
QString voteText(const RedlockVote& vote);
/// The advice for the operator. Empty if nothing is wrong. Translated.
QString redlockAdvice(RedlockState::Standing standing);

/// Pieces of advice before translation, in the context lk::Redlock.
namespace redlockadvice {
extern const char split[];
extern const char noQuorum[];
extern const char silentServers[];
} // namespace redlockadvice

} // namespace lk

Q_DECLARE_METATYPE(lk::RedlockReportPtr)
