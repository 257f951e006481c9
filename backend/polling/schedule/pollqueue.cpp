// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/schedule/pollqueue.h"

#include <algorithm>

namespace lk {

namespace {

constexpr quint32 maxPosition = (1U << 30) - 1; // then they start anew; no earlier ones are left

} // namespace

void PollQueue::setAttention(std::vector<Handle> visible, Handle selected)
{
    m_visible = std::move(visible);
    m_selected = selected;
}

void PollQueue::setPinned(std::vector<Handle> pinned)
{
    m_pinned = std::move(pinned);
}

bool PollQueue::hasAttention(Handle handle) const
{
    const auto in = [&](const std::vector<Handle>& list) {
        return std::find(list.begin(), list.end(), handle) != list.end();
    };
    return m_table.contains(handle) && (handle == m_selected || in(m_visible) || in(m_pinned));
}

// Returns null if a newer handle has taken the place, so that calls with the old handle have no
// effect.
PollEntry* PollQueue::entry(Handle handle)
{
    const Handle other = m_table.at(handle.index);
    if (other != noHandle && other.generation > handle.generation)
        return nullptr;
    if (other != handle)
        clean(other); // its place is reused
    return &m_table[handle].poll;
}

void PollQueue::markDirty(Handle handle)
{
    PollEntry* e = entry(handle);
    if (!e)
        return;
    m_waiting += e->dirty ? 0 : 1;
    e->dirty = true;
    if (e->listed == m_lastPosition && m_lastPosition != 0)
        return; // it is the last one already
    if (e->listed <= m_countedPosition)
        ++m_changed;
    if (m_lastPosition == maxPosition)
        m_lastPosition = m_countedPosition = 0;
    ++m_lastPosition;
    e->listed = m_lastPosition;
    m_dirty.push_back({handle, m_lastPosition});
    if (m_dirty.size() > m_mostDirty)
        dropOvertaken();
}

bool PollQueue::isListed(const Dirty& dirty) const
{
    const Followed* followed = m_table.find(dirty.handle);
    return followed && followed->poll.dirty && followed->poll.listed == dirty.place;
}

// A primitive that changes often leaves invalid entries behind.
void PollQueue::dropOvertaken()
{
    std::erase_if(m_dirty, [this](const Dirty& dirty) { return !isListed(dirty); });
    m_mostDirty = 2 * m_dirty.size() + leastToDrop;
}

void PollQueue::markForFullRead(Handle handle)
{
    markDirty(handle);
    if (Followed* followed = m_table.find(handle))
        followed->poll.full = true;
}

Depth PollQueue::depthOf(Handle handle) const
{
    const Followed* followed = m_table.find(handle);
    return followed && followed->poll.full ? Depth::Detail : Depth::Summary;
}

void PollQueue::clean(Handle handle)
{
    Followed* followed = m_table.find(handle);
    if (!followed)
        return;
    m_waiting -= followed->poll.dirty ? 1 : 0;
    followed->poll.dueMs = 0;
    followed->poll.full = false;
    followed->poll.dirty = false;
    followed->poll.listed = 0;
}

void PollQueue::queueDue(Handle handle, qint64 atMs)
{
    m_dueQueue.push({atMs, handle});
    m_table[handle].poll.queuedMs = atMs;
}

// Only the earliest entry of a handle is valid. If it comes up before its handle is due, it is
// queued again for the later time. Invalid entries are dropped when they come up.
void PollQueue::setDue(Handle handle, qint64 atMs)
{
    PollEntry* e = entry(handle);
    if (!e)
        return;
    e->dueMs = atMs;
    if (atMs != 0 && (e->queuedMs == 0 || atMs < e->queuedMs))
        queueDue(handle, atMs);
}

std::vector<PollQueue::Item> PollQueue::take(qint64 nowMs, int maxOthers)
{
    std::vector<Item> items;
    const auto add = [&](Handle handle, Depth depth) {
        const bool there = std::any_of(items.begin(), items.end(),
                                       [&](const Item& i) { return i.handle == handle; });
        if (m_table.contains(handle) && !there)
            items.push_back({handle, depth});
    };
    add(m_selected, Depth::Detail);
    for (Handle handle : m_visible)
        add(handle, depthOf(handle));
    for (Handle handle : m_pinned)
        add(handle, depthOf(handle));
    for (const Item& item : items)
        clean(item.handle);

    int others = 0;
    while (others < maxOthers && !m_dueQueue.empty() && m_dueQueue.top().atMs <= nowMs) {
        const auto [atMs, handle] = m_dueQueue.top();
        m_dueQueue.pop();
        Followed* followed = m_table.find(handle);
        PollEntry* e = followed ? &followed->poll : nullptr;
        if (!e || e->queuedMs != atMs)
            continue; // forgotten, or overtaken
        e->queuedMs = 0;
        if (e->dueMs == 0)
            continue;
        if (e->dueMs > nowMs) {
            queueDue(handle, e->dueMs);
            continue;
        }
        items.push_back({handle, depthOf(handle)});
        clean(handle);
        ++others;
    }
    const bool tooMany = areMoreDirtyThan(maxOthers - others);
    for (int taken = 0; others < maxOthers && !m_dirty.empty();) {
        const bool fromBack = tooMany && taken % 4 != 3;
        const Dirty dirty = fromBack ? m_dirty.back() : m_dirty.front();
        if (fromBack)
            m_dirty.pop_back();
        else
            m_dirty.pop_front();
        if (!isListed(dirty))
            continue; // forgotten, read since then, or changed once more
        items.push_back({dirty.handle, depthOf(dirty.handle)});
        clean(dirty.handle);
        ++others;
        ++taken;
    }
    if (m_dirty.empty())
        m_waiting = 0; // some may have been erased without forget()
    return items;
}

qsizetype PollQueue::takeChanged()
{
    m_countedPosition = m_lastPosition;
    return std::exchange(m_changed, 0);
}

bool PollQueue::areMoreDirtyThan(int count) const
{
    if (m_dirty.size() <= size_t(std::max(0, count)))
        return false;
    return std::any_of(m_dirty.begin(), m_dirty.end(),
                       [&](const Dirty& dirty) { return isListed(dirty) && count-- <= 0; });
}

qsizetype PollQueue::backlog(qint64 nowMs) const
{
    const bool due = !m_dueQueue.empty() && m_dueQueue.top().atMs <= nowMs;
    return m_waiting + (due ? 1 : 0);
}

} // namespace lk
