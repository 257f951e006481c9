// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/handle.h"
#include "backend/discovery/scan/memorylimit.h"
#include "backend/discovery/scan/pace/scanpace.h"

#include <QObject>
#include <QSet>

#include <vector>

namespace lk {

class Monitor;
class SessionStates;

/// Decides what of a session's deployment is read, and how often. GUI thread.
class SessionPolling final : public QObject
{
    Q_OBJECT

public:
    /// monitor: null in the past. Both outlive it.
    SessionPolling(SessionStates& states, Monitor* monitor, int intervalMs);

    bool isPaused() const { return m_paused; }
    int intervalMs() const { return m_intervalMs; }
    qint64 memoryLimit() const { return m_memoryLimit; } ///< bytes; 0: none
    /// True if the user pinned it: it is read and recorded even off screen.
    bool isPinned(Handle handle) const { return m_pinned.contains(handle); }
    const QSet<Handle>& pinned() const { return m_pinned; }
    /// True if it is on screen, pinned, or in a plan on screen.
    bool hasAttention(Handle handle) const;

public slots:
    /// Sets the primitives on screen, which are read at every polling interval.
    void setAttention(const std::vector<lk::Handle>& visible, lk::Handle selected);
    void setPinned(lk::Handle handle, bool pinned);
    /// Sets the primitives of a plan on screen. They are read like pinned ones until others are
    /// set.
    void setPlanned(const std::vector<lk::Handle>& handles);
    void setPaused(bool paused);
    void setInterval(int ms);
    void setScanPace(lk::ScanPace pace);
    /// Sets the memory of this program above which the scan stops; 0: no limit.
    void setMemoryLimit(qint64 bytes);
    void rescan();
    void stopScan(); ///< until rescan()

signals:
    void pausedChanged(bool paused);
    void pinnedChanged();
    void attentionSet(lk::Handle selected);

private:
    void forget(Handle handle);
    void sendPinned();

    Monitor* m_monitor;
    std::vector<Handle> m_visible;
    Handle m_selected = noHandle;
    QSet<Handle> m_pinned;
    QSet<Handle> m_planned;
    int m_intervalMs;
    qint64 m_memoryLimit = MemoryLimit::ofMachine().bytes();
    bool m_paused = false;
};

} // namespace lk
