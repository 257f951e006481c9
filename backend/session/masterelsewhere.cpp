// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/masterelsewhere.h"

#include "backend/session/session.h"

namespace lk {

QString masterElsewhere(const Session& session)
{
    const ServerInfo& info = session.info();
    if (!info.isReplica() || session.url().deployment == ServerUrl::Deployment::Sentinel ||
        info.mode() == QLatin1String("cluster")) // whose replica is no master's only place
        return {};
    return info.masterEndpoint();
}

} // namespace lk
