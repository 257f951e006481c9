// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/derived/hold.h"
#include "backend/core/snapshot.h"
#include "backend/history/series.h"

#include <QHash>

#include <deque>

namespace lk {

/// Merges the holds of one lock from the recording and from memory, oldest first. A hold that both
/// contain combines both: memory has gaps while the console was not polling, and the recording ends
/// some seconds ago.
std::vector<Hold> mergedHolds(const std::vector<Hold>& recorded, const std::vector<Hold>& memory);

/// Records which owner held which lock when. A shared lock may have several owners at a time.
/// Bounded to the last 64 holds of each of the 2,000 locks that were seen last. Pure; lives in one
/// thread.
class HoldLog
{
public:
    /// Does nothing for states that are not locks. If the last read was more than silenceMs ago,
    /// the same owner continues its hold only if the lease is the same.
    void append(Handle handle, const State& state, qint64 silenceMs = anySilence);
    /// Call at an outage or a pause: the next state is not known to continue the last one.
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
