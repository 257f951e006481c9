// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/redis/server/serverinfo.h"
#include "backend/redis/topology/router.h"

namespace lk {

/// How much of its deployment one node is.
struct ClusterCoverage
{
    std::optional<ClusterMap> map; ///< empty: no cluster, or this user may not ask
    std::vector<Missing> missing;  ///< empty: nothing is elsewhere
    QString
        text; ///< of a cluster: "3 of 3 masters, 16,384 of 16,384 slots"; else empty; translated

    bool operator==(const ClusterCoverage& other) const
    {
        return missing == other.missing && text == other.text;
    }
};

/// Of a cluster that is followed: which of its masters answer.
ClusterCoverage coverageOf(const Router& router);

/// Of one node that is looked at alone. replies: to ClusterMap::commands().
ClusterCoverage coverageOf(const ServerInfo& info, std::span<const Reply> replies);

/// That a cluster is down: with the slots that no node answers for, and those of its masters that
/// the others cannot reach. Any other error is left as it is.
Error namingNodes(const Error& error, const Router& router);

/// Why nothing can be read there: a cluster's replica answers MOVED to every key. Empty: it is
/// none. greeting: what INFO and ROLE told; map: what CLUSTER told, where that is known.
std::optional<Error> clusterReplica(const ServerInfo& greeting,
                                    const std::optional<ClusterMap>& map = {});

/// The nodes as a snapshot lists them: of a cluster all masters, else the one that answers, at
/// that endpoint.
std::vector<NodeFacts> nodesOf(const ClusterCoverage& coverage, const ServerFacts& server,
                               const QString& endpoint);

/// Of what is connected to: of a cluster that is followed its masters, then their replicas; else
/// the one that answers.
std::vector<NodeFacts> nodesOf(const Router& router);

} // namespace lk
