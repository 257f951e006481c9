// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"
#include "backend/redis/topology/clustermap.h"
#include "backend/redis/url.h"

namespace lk {

/// The deployment that is entered by that URL. map: of a cluster that is followed; null: it is
/// none. Never holds user or password.
RecordedDeployment recordedDeployment(const ServerUrl& url, const ClusterMap* map,
                                      const QString& title = {});

/// All names under which a deployment may be recorded that is entered by that URL, without asking
/// it: a plain address may be one server's or a cluster node's.
QByteArrayList deploymentNames(const ServerUrl& url);

} // namespace lk
