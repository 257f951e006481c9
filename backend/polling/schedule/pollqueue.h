// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"
#include "backend/polling/followed.h"

#include <deque>
#include <queue>

namespace lk {

/// Decides which primitives are read next. What has attention (on screen, selected, pinned)
/// is read every time; the rest when its time has come or somebody changed it, as far as the
/// budget reaches. Pure; times are server milliseconds.
class PollQueue
{
public:
    /// What is to be read, and how much of it.
    struct Item
    {
        Handle handle = noHandle;
        Depth depth = Depth::Summary;
    };

    /// table: not owned, outlives this. What is erased there is forgotten, its attention, too;
    /// forget() comes before, so that it does not count as waiting until its turn.
    explicit PollQueue(FollowedTable& table)
        : m_table(table)
    {}

    void setAttention(std::vector<Handle> visible, Handle selected);
    void setPinned(std::vector<Handle> pinned);
    bool hasAttention(Handle handle) const;
    Handle selected() const { return m_table.contains(m_selected) ? m_selected : noHandle; }

    /// Somebody changed it, or it is new.
    void markDirty(Handle handle);
    /// It is about to be erased.
    void forget(Handle handle) { clean(handle); }
    /// Is read in full the next time, also where it is read on every tick.
    void markForFullRead(Handle handle);
    /// It changes by itself then; 0: it does not.
    void setDue(Handle handle, qint64 atMs);

    /// All that has attention, then at most maxOthers of the due and the dirty ones, those first
    /// that were changed first. What does not fit stays for the next time. Where more of them are
    /// dirty than fit, those come first that were changed last, and with each three of these one of
    /// those that have waited longest: what is read is new, and nothing waits for good.
    std::vector<Item> take(qint64 nowMs, int maxOthers);
    /// How many were changed since it was last asked, each counted once unless it was read between.
    qsizetype takeChanged();
    /// Due or dirty ones that wait.
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
        quint32 place; ///< counts if it is that of the entry
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
    std::deque<Dirty> m_dirty; ///< in the order of their last change; passed over if clean by then
    qsizetype m_waiting = 0;   ///< that are dirty
    quint32 m_lastPosition = 0;
    quint32 m_countedPosition = 0; ///< those with a greater one are counted in m_changed
    qsizetype m_changed = 0;
    size_t m_mostDirty = leastToDrop; ///< with more of them those that do not count are dropped
    static constexpr size_t leastToDrop = 1024;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> m_dueQueue;
};

} // namespace lk
