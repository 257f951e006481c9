// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/history/series.h"

#include <QHash>

#include <deque>

namespace lk {

/// One owner's hold of a lock, as far as it was seen. Server time in milliseconds.
struct Hold
{
    QByteArray owner;  ///< empty: the value tells none
    qint64 fromMs = 0; ///< first sight
    qint64 toMs = 0;   ///< last record
    std::optional<qint64> leaseEndMs;
    bool noTtl = false;
    bool open = false;      ///< held when last seen
    bool endKnown = true;   ///< closed: false if it ended unseen, some time after toMs
    bool fromKnown = false; ///< the lock was seen free before: fromMs is when it was taken
    qint32 renewals = 0;
};

/// Holds of one lock from the recording and from memory, oldest first. Of one that both know each
/// tells what it saw: memory has holes where nobody looked, the recording ends some seconds ago.
std::vector<Hold> mergedHolds(const std::vector<Hold>& recorded, const std::vector<Hold>& memory);

/// Who held which lock when: several at a time where it is shared. Bounded: the last 64 holds of a
/// lock, of the 2,000 locks seen last.
/// Pure; lives in one thread.
class HoldLog
{
public:
    /// Does nothing for states that are not locks. If the last read was more than silenceMs ago,
    /// the same owner is taken for the same hold only while the lease is the same.
    void append(Handle handle, const State& state, qint64 silenceMs = anySilence);
    /// An outage or a pause: what comes next is not known to continue what was.
    void gapAll();
    void forget(Handle handle) { m_logs.remove(handle); }

    /// Oldest first.
    std::vector<Hold> holds(Handle handle) const;

private:
    struct Log
    {
        std::deque<Hold> holds;
        qint64 lastMs = 0;
        bool seenFree = false;
        bool interrupted = false; ///< nothing was read for a while
    };
    static Hold& openHold(Log& log, const QByteArray& owner, qint64 atMs, bool fromKnown);
    void evict();

    QHash<Handle, Log> m_logs;
};

} // namespace lk
