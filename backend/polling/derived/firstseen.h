// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/derived/firstseenrecord.h"
#include "backend/core/state.h"

#include <QHash>
#include <QString>

namespace lk {

/// Remembers the items of all queues and ages them. An item that has left is forgotten, so that the
/// same bytes coming back later start anew; memory follows what is in processing. Pure.
class FirstSeen
{
public:
    /// stuckAfterMs: of queues that do not declare it themselves; 0: as their layout has it.
    explicit FirstSeen(qint64 stuckAfterMs)
        : m_stuckAfterMs(stuckAfterMs)
    {}
    FirstSeen() = default;

    void setStuckAfterMs(qint64 ms) { m_stuckAfterMs = ms; }
    /// Takes over what an earlier run of the console had seen.
    void restore(const std::vector<FirstSeenRecord>& firstSeen);
    /// Fills in firstSeenMs of each item, the oldest age and how many are stuck, and with it
    /// health and urgency, and has the queue read again when the next item gets stuck. An item
    /// is as old as it was when it was last seen.
    /// Does nothing to states that are not queues.
    void apply(State& state);
    void forget(const QByteArray& queue);
    /// That item: if it is seen again, it is seen for the first time.
    void forget(const QByteArray& queue, quint64 fingerprint);

    std::vector<FirstSeenRecord> firstSeen() const;
    /// True once after something changed.
    bool takeChanged() { return std::exchange(m_changed, false); }

private:
    static void revisitWhenStuck(State& state, const QueueState& queue);

    qint64 m_stuckAfterMs = 0;
    QHash<QByteArray, QHash<quint64, qint64>> m_queues;
    bool m_changed = false;
};

} // namespace lk
