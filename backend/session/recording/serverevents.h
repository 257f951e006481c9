// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"
#include "backend/redis/link.h"
#include "backend/redis/server/serverinfo.h"
#include "backend/session/monitor/sessionsource.h"

namespace lk {

/// Derives the server's events from a session's status, INFO and reports. Pure; for one session.
class ServerEvents
{
public:
    std::vector<RecordedEvent> onStatus(const ConnectionStatus& status, qint64 nowMs);
    /// byNodes: the deployment's nodes are followed. INFO may then come from another node, so
    /// onReport() detects a failover, and the new master.
    std::vector<RecordedEvent> onInfo(const ServerInfo& info, qint64 nowMs, bool byNodes = false);
    std::vector<RecordedEvent> onReport(const MonitorReport& report);

private:
    bool m_ready = false;
    bool m_wasReady = false;
    ServerInfo m_info;
    qint64 m_infoMs = 0;                 ///< when that INFO was received
    std::map<QString, bool> m_reachable; ///< nodes by their endpoint
    QStringList m_masters;
};

} // namespace lk
