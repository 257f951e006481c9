// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/derived/firstseenrecord.h"
#include "backend/core/state.h"

#include <QHash>
#include <QString>

namespace lk {

/// Remembers when the items of all queues were first seen. Forgets an item that has left, so that
/// its age starts anew if the same bytes return. Memory is proportional to the items in processing.
/// Pure.
class FirstSeen
{
public:
    /// stuckAfterMs applies to queues that do not declare it; 0 uses the layout's value.
    explicit FirstSeen(qint64 stuckAfterMs)
        : m_stuckAfterMs(stuckAfterMs)
    {}
    FirstSeen() = default;

    void setStuckAfterMs(qint64 ms) { m_stuckAfterMs = ms; }
    /// Restores the records of an earlier run of the console.
    void restore(const std::vector<FirstSeenRecord>& firstSeen);
    /// Fills in firstSeenMs of each item, the oldest age, the number of stuck items, and from these
    /// health and urgency. Schedules the next read for when the next item becomes stuck. An item is
    /// stuck by its age when its list was last read. Does nothing to states that are not queues.
    void apply(State& state);
    void forget(const QByteArray& queue);
    /// Forgets one item. If it is seen again, its age starts anew.
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
