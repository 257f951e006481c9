// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"
#include "backend/redis/link.h"
#include "backend/redis/server/serverinfo.h"
#include "backend/session/monitor/sessionsource.h"

namespace lk {

/// Finds in what a session learns of its server what happened to it. Pure; for one session.
class ServerEvents
{
public:
    std::vector<RecordedEvent> onStatus(const ConnectionStatus& status, qint64 nowMs);
    /// byNodes: its nodes are followed. Then it may be another one that tells, and a failover is
    /// seen in onReport(), with who is master now.
    std::vector<RecordedEvent> onInfo(const ServerInfo& info, qint64 nowMs, bool byNodes = false);
    std::vector<RecordedEvent> onReport(const MonitorReport& report);

private:
    bool m_ready = false;
    bool m_wasReady = false;
    ServerInfo m_info;
    qint64 m_infoMs = 0;                 ///< when that was told
    std::map<QString, bool> m_reachable; ///< nodes by their endpoint
    QStringList m_masters;
};

} // namespace lk
