// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/clustercoverage.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ClusterCoverage)
};

Missing withoutMap(const ServerInfo& info, const Reply& answer)
{
    Missing missing;
    if (info.isEmpty()) {
        missing.cause = Missing::Cause::Command;
        missing.permission = QByteArrayLiteral("+info");
        missing.detail = Text::tr("whether this is a replica or a cluster node is unknown");
        return missing;
    }
    missing = missingFor(errorFromReply(answer.text));
    if (missing.cause != Missing::Cause::Command)
        missing.cause = Missing::Cause::OtherNodes;
    missing.detail = Text::tr("the number of other nodes in this cluster is unknown");
    return missing;
}

} // namespace

ClusterCoverage coverageOf(const ServerInfo& info, std::span<const Reply> replies)
{
    ClusterCoverage coverage;
    coverage.map = ClusterMap::fromReplies(replies);
    if (coverage.map) {
        if (!coverage.map->isWhole()) {
            Missing others;
            others.cause = Missing::Cause::OtherNodes;
            others.detail = coverage.map->coverage();
            coverage.missing = {others};
        }
        coverage.text = coverage.map->coverage();
        return coverage;
    }
    // "ERR This instance has cluster support disabled": then this is all there is.
    const bool alone = !replies.empty() && replies[0].isError() &&
                       replies[0].text.contains("cluster support disabled");
    if (!replies.empty() && !alone)
        coverage.missing = {withoutMap(info, replies[0])};
    return coverage;
}

ClusterCoverage coverageOf(const Router& router)
{
    ClusterCoverage coverage;
    coverage.map = router.map();
    if (!coverage.map)
        return coverage;
    int masters = 0;
    int answering = 0;
    int covered = 0;
    for (const NodeLink* node : router.nodes()) {
        const ClusterMap::Node* facts = coverage.map->named(node->endpoint());
        const bool counts = !facts || coverage.map->counts(*facts);
        masters += counts ? 1 : 0;
        if (node->isReady()) {
            answering += counts ? 1 : 0;
            covered += facts ? facts->slotCount() : 0;
        } else if (node->wasTried() && (counts || coverage.map->takesFirst(*facts))) {
            coverage.missing.push_back(missingFor({ErrorCode::NodeDown, node->endpoint()}));
        }
    }
    // A master that has slots but no known address cannot be connected to.
    for (const ClusterMap::Node& master : coverage.map->masters()) {
        if (!master.ranges.empty() && master.address.port == 0)
            coverage.missing.push_back(missingFor({ErrorCode::NodeDown, master.endpoint}));
    }
    // Short if nothing is missing: the text is shown in the window's header.
    if (coverage.missing.empty() && covered == clusterSlots) {
        coverage.text = Text::tr("%1 masters, all slots").arg(answering);
        return coverage;
    }
    const QLocale locale;
    coverage.text = Text::tr("%1 of %2 masters, %3 of %4 slots")
                        .arg(answering)
                        .arg(masters)
                        .arg(locale.toString(covered), locale.toString(clusterSlots));
    return coverage;
}

Error namingNodes(const Error& error, const Router& router)
{
    if (error.code != ErrorCode::ClusterDown || !error.detail.isEmpty() || !router.map())
        return error;
    return {error.code, router.map()->unserved().text};
}

std::optional<Error> clusterReplica(const ServerInfo& greeting,
                                    const std::optional<ClusterMap>& map)
{
    const bool cluster = map || greeting.mode() == ServerMode::Cluster ||
                         greeting.number("cluster_enabled").value_or(0) != 0;
    if (!cluster || !greeting.isReplica())
        return std::nullopt;
    return Error{ErrorCode::ClusterReplica, greeting.masterEndpoint()};
}

std::vector<NodeFacts> nodesOf(const ClusterCoverage& coverage, const ServerFacts& server,
                               const QString& endpoint)
{
    std::vector<NodeFacts> nodes;
    if (!coverage.map || !coverage.map->myself()) {
        NodeFacts self;
        self.endpoint = endpoint;
        self.role = server.role;
        self.master = server.master;
        self.reachable = true;
        nodes.push_back(self);
    }
    if (!coverage.map)
        return nodes;
    for (const ClusterMap::Node& node : coverage.map->masters()) {
        NodeFacts facts;
        facts.endpoint = node.endpoint;
        facts.role = NodeRole::Master;
        facts.slotCount = node.slotCount();
        if (node.myself)
            facts.reachable = true;
        else if (node.failed)
            facts.reachable = false; // as this node reports
        nodes.insert(node.myself ? nodes.begin() : nodes.end(), facts);
    }
    return nodes;
}

std::vector<NodeFacts> nodesOf(const Router& router)
{
    std::vector<NodeFacts> nodes;
    std::vector<NodeFacts> replicas;
    if (!router.map()) {
        for (const NodeLink* node : router.nodes()) {
            NodeFacts facts;
            facts.endpoint = node->endpoint();
            facts.role = node->greeting().role();
            facts.master = node->greeting().masterEndpoint();
            facts.reachable = node->isReady();
            nodes.push_back(facts);
        }
        return nodes;
    }
    for (const ClusterMap::Node& master : router.map()->masters()) {
        NodeFacts facts;
        facts.endpoint = master.endpoint;
        facts.role = NodeRole::Master;
        facts.slotCount = master.slotCount();
        const auto link = std::find_if(
            router.nodes().begin(), router.nodes().end(),
            [&master](const NodeLink* node) { return node->endpoint() == master.endpoint; });
        if (link != router.nodes().end() && (*link)->wasTried())
            facts.reachable = (*link)->isReady();
        else if (master.failed) // it has no slots, so there is no connection to it
            facts.reachable = false;
        nodes.push_back(facts);
        for (const ClusterMap::Replica& replica : master.replicas) {
            NodeFacts copy;
            copy.endpoint = replica.address.endpoint;
            copy.role = NodeRole::Replica;
            copy.master = master.endpoint;
            if (replica.failed)
                copy.reachable = false; // as the other nodes report
            replicas.push_back(copy);
        }
    }
    nodes.insert(nodes.end(), replicas.begin(), replicas.end());
    return nodes;
}

} // namespace lk
