// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/redis/server/serverinfo.h"
#include "backend/redis/topology/router.h"

namespace lk {

/// How much of its deployment is reachable.
struct ClusterCoverage
{
    std::optional<ClusterMap> map; ///< empty: no cluster, or CLUSTER is denied to this user
    std::vector<Missing> missing;  ///< empty: nothing is missing
    QString
        text; ///< for a cluster: "3 of 3 masters, 16,384 of 16,384 slots"; else empty; translated

    bool operator==(const ClusterCoverage& other) const
    {
        return missing == other.missing && text == other.text;
    }
};

/// The coverage of a cluster that is followed: which of its masters answer.
ClusterCoverage coverageOf(const Router& router);

/// The coverage of a single node. replies are those to ClusterMap::commands().
ClusterCoverage coverageOf(const ServerInfo& info, std::span<const Reply> replies);

/// Adds to an error about a cluster that is down the slots that no node serves and the masters that
/// the others cannot reach. Returns any other error unchanged.
Error namingNodes(const Error& error, const Router& router);

/// An error if the node is a cluster's replica, which answers MOVED to every key; else empty.
/// greeting comes from INFO and ROLE; map from CLUSTER, if known.
std::optional<Error> clusterReplica(const ServerInfo& greeting,
                                    const std::optional<ClusterMap>& map = {});

/// The nodes as a snapshot lists them: for a cluster all masters, else the one that answers, at
/// that endpoint.
std::vector<NodeFacts> nodesOf(const ClusterCoverage& coverage, const ServerFacts& server,
                               const QString& endpoint);

/// The nodes of the connection: for a cluster that is followed its masters, then their replicas;
/// else the one that answers.
std::vector<NodeFacts> nodesOf(const Router& router);

} // namespace lk
