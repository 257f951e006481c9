// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/masterelsewhere.h"

#include "backend/session/session.h"

namespace lk {

QString masterElsewhere(const Session& session)
{
    const ServerInfo& info = session.info();
    if (!info.isReplica() || session.url().deployment == ServerUrl::Deployment::Sentinel ||
        info.mode() == ServerMode::Cluster) // a cluster has further masters
        return {};
    return info.masterEndpoint();
}

bool isAloneOfCluster(const Session& session)
{
    return session.url().deployment == ServerUrl::Deployment::Node && session.info().isReplica() &&
           session.info().mode() == ServerMode::Cluster;
}

} // namespace lk
