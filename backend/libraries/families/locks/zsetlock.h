// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "backend/core/timeunit.h"
#include "backend/libraries/api/layout.h"

#include <functional>

namespace lk {

/// The meaning of the scores in a set of holders.
struct ZsetScores
{
    /// The time that a holder's score stands for.
    enum class Moment : quint8 {
        Taken,    ///< when it took or last renewed it; the TTL gives the lease of all
        Deadline, ///< when its lease ends
    };
    Moment score = Moment::Deadline;
    TimeUnit unit = TimeUnit::Milliseconds;
    std::optional<qint64> limit = {}; ///< the most holders at a time
    QByteArray exclusive = {};        ///< not a holder: marks the only other member as exclusive
    bool isLock = false;              ///< one at a time unless shared
    /// The holder of a member, if one holder has several permits, each a member. Empty: the member.
    std::function<QByteArray(const QByteArray& member)> holderOf = {};
};

/// Reads a set of holders.
std::vector<Command> zsetLockReads(const QByteArray& key);
State zsetLockState(std::span<const Reply> replies, const ZsetScores& scores,
                    const ReadContext& context);

} // namespace lk
