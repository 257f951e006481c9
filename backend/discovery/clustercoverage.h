// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/redis/server/serverinfo.h"
#include "backend/redis/topology/clustermap.h"

namespace lk {

/// How much of its deployment one node is.
struct ClusterCoverage
{
    std::optional<ClusterMap> map;  ///< empty: no cluster, or this user may not ask
    std::optional<Missing> missing; ///< empty: nothing is elsewhere

    bool operator==(const ClusterCoverage& other) const { return missing == other.missing; }
};

/// Whether CLUSTER has to be asked: INFO says that it is one, or was denied.
bool mayBeCluster(const ServerInfo& info);

/// replies: to ClusterMap::commands().
ClusterCoverage coverageOf(const ServerInfo& info, std::span<const Reply> replies);

/// Why nothing can be read there: a cluster's replica answers MOVED to every key. Empty: it is
/// none. greeting: what INFO and ROLE told; map: what CLUSTER told, where that is known.
std::optional<Error> clusterReplica(const ServerInfo& greeting,
                                    const std::optional<ClusterMap>& map = {});

/// The nodes as a snapshot lists them: of a cluster all masters, else the one that answers.
std::vector<NodeFacts> nodesOf(const ClusterCoverage& coverage, const ServerFacts& server);

} // namespace lk
