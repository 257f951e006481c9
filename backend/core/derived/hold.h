// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/derived/presentholders.h"

namespace lk {

/// One owner's hold of a lock, as far as it was seen. Server time in milliseconds.
struct Hold
{
    QByteArray owner;  ///< empty if the value contains none
    qint64 fromMs = 0; ///< taken, or first seen
    qint64 toMs = 0;   ///< its end, or when it was last seen
    std::optional<qint64> leaseEndMs;
    bool noTtl = false;
    bool open = false;      ///< held when last seen
    bool fromKnown = false; ///< it was seen being taken; else held at least since fromMs
    bool endKnown = true;   ///< if closed: false if it ended unseen, some time after toMs
    qint32 renewals = 0;

    /// Adds a read in which the holder still holds the lock. jitterMs: the most by which two reads
    /// of one lease differ in its end.
    void see(const PresentHolder& holder, const State& now, const LockState& lock, qint64 jitterMs);
    /// Ends it; seenMs: when that was read. A lease that ended before gives the exact end. A
    /// release is known only to the polling interval.
    void close(qint64 seenMs);
    /// True if the owner is the same, and the lock has no TTL now as then, or the same lease, or
    /// its lease had not ended when it was seen again at seenMs: nothing shows a release since.
    bool goesOn(const PresentHolder& holder, const State& now, const LockState& lock,
                qint64 seenMs) const;
    bool hasSameLease(const PresentHolder& holder, qint64 atMs, qint64 jitterMs) const;
};

} // namespace lk
