// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"
#include "backend/polling/followed.h"

#include <deque>
#include <queue>

namespace lk {

/// Decides which primitives are read next. Primitives that have attention (on screen, selected,
/// pinned) are read every time. The others are read when they are due or were changed, within the
/// budget. Pure; times are server milliseconds.
class PollQueue
{
public:
    /// A primitive to be read, and in which depth.
    struct Item
    {
        Handle handle = noHandle;
        Depth depth = Depth::Summary;
    };

    /// table is not owned and must outlive this object. Primitives that are erased from it are
    /// forgotten and lose attention. Call forget() before erasing one, so that it does not count as
    /// waiting.
    explicit PollQueue(FollowedTable& table)
        : m_table(table)
    {}

    void setAttention(std::vector<Handle> visible, Handle selected);
    void setPinned(std::vector<Handle> pinned);
    bool hasAttention(Handle handle) const;
    Handle selected() const { return m_table.contains(m_selected) ? m_selected : noHandle; }

    /// Call when the primitive was changed or is new.
    void markDirty(Handle handle);
    /// Call before the primitive is erased.
    void forget(Handle handle) { clean(handle); }
    /// Makes the next read a full one, even if the primitive is read in every polling interval.
    void markForFullRead(Handle handle);
    /// Sets when the primitive changes by itself; 0 if it does not.
    void setDue(Handle handle, qint64 atMs);

    /// Returns all primitives that have attention, then at most maxOthers that are due or dirty,
    /// the earliest changed first. The rest stays for the next call. If more are dirty than fit,
    /// the latest changed come first, with one of the longest waiting for every three of them, so
    /// that reads are recent and no primitive waits forever.
    std::vector<Item> take(qint64 nowMs, int maxOthers);
    /// Returns how many primitives changed since the last call. Each counts once unless it was read
    /// in between.
    qsizetype takeChanged();
    /// Returns how many due or dirty primitives wait.
    qsizetype backlog(qint64 nowMs) const;

private:
    struct Due
    {
        qint64 atMs;
        Handle handle;
        bool operator>(const Due& other) const { return atMs > other.atMs; }
    };

    struct Dirty
    {
        Handle handle;
        quint32 place; ///< valid if it equals PollEntry::listed
    };

    PollEntry* entry(Handle handle);
    bool isListed(const Dirty& dirty) const;
    bool areMoreDirtyThan(int count) const;
    void dropOvertaken();
    Depth depthOf(Handle handle) const;
    void clean(Handle handle);
    void queueDue(Handle handle, qint64 atMs);

    std::vector<Handle> m_visible;
    std::vector<Handle> m_pinned;
    Handle m_selected = noHandle;
    FollowedTable& m_table;
    std::deque<Dirty> m_dirty; ///< in the order of their last change; clean ones are skipped
    qsizetype m_waiting = 0;   ///< how many are dirty
    quint32 m_lastPosition = 0;
    quint32 m_countedPosition = 0; ///< entries with a greater position are counted in m_changed
    qsizetype m_changed = 0;
    size_t m_mostDirty = leastToDrop; ///< with more entries than this, invalid ones are dropped
    static constexpr size_t leastToDrop = 1024;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> m_dueQueue;
};

} // namespace lk
