// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"
#include "backend/redis/topology/clustermap.h"
#include "backend/redis/url.h"

namespace lk {

/// Returns the deployment at that URL. map: the map of a followed cluster; null if it is none.
/// Never contains user or password.
RecordedDeployment recordedDeployment(const ServerUrl& url, const ClusterMap* map,
                                      const QString& title = {});

/// Returns all names under which the deployment at that URL may be recorded, without asking it. A
/// plain address may belong to a single server or to a cluster node.
QByteArrayList deploymentNames(const ServerUrl& url);

} // namespace lk
