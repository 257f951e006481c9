// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/pollqueue.h"

#include <algorithm>

namespace lk {

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
    return handle == m_selected || in(m_visible) || in(m_pinned);
}

// Null for one whose place another has by now: whoever still speaks of it must not undo that.
PollQueue::Entry* PollQueue::entry(Handle handle)
{
    if (Entry* known = m_entries.find(handle))
        return known;
    if (const Handle other = m_entries.at(handle.index); other != noHandle) {
        if (other.generation > handle.generation)
            return nullptr;
        forget(other);
    }
    return &m_entries[handle];
}

void PollQueue::markDirty(Handle handle)
{
    Entry* e = entry(handle);
    if (!e)
        return;
    if (!std::exchange(e->dirty, true))
        ++m_dirtyCount;
    if (!std::exchange(e->listed, true))
        m_dirty.push_back(handle);
}

void PollQueue::markForFullRead(Handle handle)
{
    markDirty(handle);
    if (Entry* e = m_entries.find(handle))
        e->full = true;
}

Depth PollQueue::depthOf(Handle handle) const
{
    const Entry* e = m_entries.find(handle);
    return e && e->full ? Depth::Detail : Depth::Summary;
}

void PollQueue::clean(Handle handle)
{
    Entry* e = m_entries.find(handle);
    if (!e)
        return;
    e->dueMs = 0;
    e->full = false;
    if (std::exchange(e->dirty, false))
        --m_dirtyCount;
}

void PollQueue::queueDue(Handle handle, qint64 atMs)
{
    m_dueQueue.push({atMs, handle});
    m_entries[handle].queuedMs = atMs;
}

// One entry of a handle counts, the earliest: where it comes up before its handle is due, it is put
// back for the later time, and what an earlier time has overtaken is dropped when it comes up.
void PollQueue::setDue(Handle handle, qint64 atMs)
{
    Entry* e = entry(handle);
    if (!e)
        return;
    e->dueMs = atMs;
    if (atMs != 0 && (e->queuedMs == 0 || atMs < e->queuedMs))
        queueDue(handle, atMs);
}

void PollQueue::forget(Handle handle)
{
    clean(handle);
    m_entries.erase(handle);
    std::erase(m_visible, handle);
    std::erase(m_pinned, handle);
    if (m_selected == handle)
        m_selected = noHandle;
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
        add(handle, depthOf(handle));
    for (Handle handle : m_pinned)
        add(handle, depthOf(handle));
    for (const Item& item : items)
        clean(item.handle);

    int others = 0;
    while (others < maxOthers && !m_dueQueue.empty() && m_dueQueue.top().atMs <= nowMs) {
        const auto [atMs, handle] = m_dueQueue.top();
        m_dueQueue.pop();
        Entry* e = m_entries.find(handle);
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
    while (others < maxOthers && !m_dirty.empty()) {
        const Handle handle = m_dirty.front();
        m_dirty.pop_front();
        Entry* e = m_entries.find(handle);
        if (!e)
            continue; // forgotten
        e->listed = false;
        if (!e->dirty)
            continue;
        items.push_back({handle, depthOf(handle)});
        clean(handle);
        ++others;
    }
    return items;
}

qsizetype PollQueue::backlog(qint64 nowMs) const
{
    const bool due = !m_dueQueue.empty() && m_dueQueue.top().atMs <= nowMs;
    return m_dirtyCount + (due ? 1 : 0);
}

} // namespace lk
