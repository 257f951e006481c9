// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/monitor/pollqueue.h"

#include <algorithm>

namespace lk {

void PollQueue::setAttention(std::vector<Handle> visible, Handle selected)
{
    m_visible = std::move(visible);
    m_selected = selected;
}

void PollQueue::setWatched(std::vector<Handle> watched)
{
    m_watched = std::move(watched);
}

bool PollQueue::hasAttention(Handle handle) const
{
    const auto in = [&](const std::vector<Handle>& list) {
        return std::find(list.begin(), list.end(), handle) != list.end();
    };
    return handle == m_selected || in(m_visible) || in(m_watched);
}

PollQueue::Entry& PollQueue::entry(Handle handle)
{
    if (handle >= m_entries.size())
        m_entries.resize(size_t(handle) + 1);
    return m_entries[handle];
}

void PollQueue::markDirty(Handle handle)
{
    Entry& e = entry(handle);
    if (!std::exchange(e.dirty, true))
        m_dirty.push_back(handle);
}

void PollQueue::queueDue(Handle handle, qint64 atMs)
{
    m_dueQueue.push({atMs, handle});
    m_entries[handle].queued = true;
}

// One entry a handle in the queue at the most: an entry that comes up before its handle is due is
// put back for the later time, so frequent changes of the due time cost nothing.
void PollQueue::setDue(Handle handle, qint64 atMs)
{
    Entry& e = entry(handle);
    const qint64 before = e.dueMs;
    e.dueMs = atMs;
    if (atMs != 0 && (!e.queued || atMs < before))
        queueDue(handle, atMs);
}

void PollQueue::forget(Handle handle)
{
    Entry& e = entry(handle);
    e.dueMs = 0;
    e.dirty = false; // an entry left in m_dirty is passed over
}

void PollQueue::clear()
{
    *this = PollQueue();
}

std::vector<PollQueue::Item> PollQueue::take(qint64 nowMs, int maxOthers)
{
    std::vector<Item> items;
    const auto add = [&](Handle handle, Depth depth) {
        const bool there = std::any_of(items.begin(), items.end(),
                                       [&](const Item& i) { return i.handle == handle; });
        if (handle != noHandle && !there)
            items.push_back({handle, depth});
    };
    add(m_selected, Depth::Detail);
    for (Handle handle : m_visible)
        add(handle, Depth::Summary);
    for (Handle handle : m_watched)
        add(handle, Depth::Summary);
    for (const Item& item : items)
        entry(item.handle).dirty = false;

    int others = 0;
    while (others < maxOthers && !m_dueQueue.empty() && m_dueQueue.top().atMs <= nowMs) {
        const Handle handle = m_dueQueue.top().handle;
        m_dueQueue.pop();
        Entry& e = m_entries[handle];
        e.queued = false;
        if (e.dueMs == 0)
            continue;
        if (e.dueMs > nowMs) {
            queueDue(handle, e.dueMs);
            continue;
        }
        e.dueMs = 0;
        e.dirty = false;
        items.push_back({handle, Depth::Summary});
        ++others;
    }
    while (others < maxOthers && !m_dirty.empty()) {
        const Handle handle = m_dirty.front();
        m_dirty.pop_front();
        if (!std::exchange(m_entries[handle].dirty, false))
            continue;
        items.push_back({handle, Depth::Summary});
        ++others;
    }
    return items;
}

qsizetype PollQueue::backlog(qint64 nowMs) const
{
    const bool due = !m_dueQueue.empty() && m_dueQueue.top().atMs <= nowMs;
    return qsizetype(m_dirty.size()) + (due ? 1 : 0);
}

} // namespace lk
