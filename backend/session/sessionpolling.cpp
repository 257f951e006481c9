// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionpolling.h"

#include "backend/session/ask.h"
#include "backend/session/monitor/monitor.h"
#include "backend/session/sessionstates.h"

#include <algorithm>

namespace lk {

SessionPolling::SessionPolling(SessionStates& states, Monitor* monitor, int intervalMs)
    : m_monitor(monitor)
    , m_intervalMs(intervalMs)
{
    connect(&states, &SessionStates::forgotten, this, &SessionPolling::forget);
}

bool SessionPolling::hasAttention(Handle handle) const
{
    return handle == m_selected || m_pinned.contains(handle) || m_planned.contains(handle) ||
           std::find(m_visible.begin(), m_visible.end(), handle) != m_visible.end();
}

void SessionPolling::setAttention(const std::vector<Handle>& visible, Handle selected)
{
    m_visible = visible;
    m_selected = selected;
    emit attentionSet(selected);
    ask(m_monitor, [visible, selected](Monitor& m) { m.setAttention(visible, selected); });
}

void SessionPolling::setPinned(Handle handle, bool pinned)
{
    if (pinned)
        m_pinned.insert(handle);
    else
        m_pinned.remove(handle);
    sendPinned();
    emit pinnedChanged();
}

void SessionPolling::setPlanned(const std::vector<Handle>& handles)
{
    m_planned = QSet<Handle>(handles.begin(), handles.end());
    sendPinned();
}

void SessionPolling::sendPinned()
{
    std::vector<Handle> handles(m_pinned.begin(), m_pinned.end());
    for (const Handle handle : m_planned) {
        if (!m_pinned.contains(handle))
            handles.push_back(handle);
    }
    ask(m_monitor, [handles = std::move(handles)](Monitor& m) { m.setPinned(handles); });
}

void SessionPolling::forget(Handle handle)
{
    std::erase(m_visible, handle);
    if (m_selected == handle)
        m_selected = noHandle;
    const bool planned = m_planned.remove(handle);
    if (m_pinned.contains(handle))
        setPinned(handle, false);
    else if (planned)
        sendPinned();
}

void SessionPolling::setPaused(bool paused)
{
    if (m_paused == paused)
        return;
    m_paused = paused;
    ask(m_monitor, [paused](Monitor& m) { m.setPaused(paused); });
    emit pausedChanged(paused);
}

void SessionPolling::setInterval(int ms)
{
    m_intervalMs = ms;
    ask(m_monitor, [ms](Monitor& m) { m.setPollingInterval(ms); });
}

void SessionPolling::setScanPace(ScanPace pace)
{
    ask(m_monitor, [pace](Monitor& m) { m.scan().setPace(pace); });
}

void SessionPolling::setMemoryLimit(qint64 bytes)
{
    m_memoryLimit = bytes;
    ask(m_monitor, [bytes](Monitor& m) { m.scan().setMemoryLimit(MemoryLimit(bytes)); });
}

void SessionPolling::rescan()
{
    ask(m_monitor, [](Monitor& m) { m.rescan(); });
}

void SessionPolling::stopScan()
{
    ask(m_monitor, [](Monitor& m) { m.scan().stopPass(); });
}

} // namespace lk
