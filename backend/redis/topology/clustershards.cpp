// SPDX-License-Identifier: GPL-3.0-or-later
//
// The map of a cluster out of CLUSTER SHARDS, which a user may be allowed in place of NODES.
#include "backend/core/names/keyname.h"
#include "backend/redis/topology/clustermap.h"

#include <algorithm>

namespace lk {

namespace {

// Returns a field of a map that RESP2 sends as name, value, name, value ...; nil if it is missing.
const Reply& fieldOf(const Reply& map, const char* name)
{
    static const Reply none;
    for (size_t i = 0; i + 1 < map.items.size(); i += 2) {
        if (map.items[i].text == name)
            return map.items[i + 1];
    }
    return none;
}

// A node may have one port or both.
quint16 portOf(const Reply& node, bool tls)
{
    qint64 port = fieldOf(node, tls ? "tls-port" : "port").integer;
    if (port == 0)
        port = fieldOf(node, tls ? "port" : "tls-port").integer;
    return port > 0 && port <= 65535 ? quint16(port) : 0;
}

ClusterMap::Address addressOfNode(const Reply& node, const QString& askedAt, bool tls)
{
    QByteArray host = fieldOf(node, "ip").text;
    if (host.isEmpty())
        host = fieldOf(node, "endpoint").text;
    ClusterMap::Address address =
        ClusterMap::addressOf(host + ':' + QByteArray::number(portOf(node, tls)), askedAt);
    address.name = displayName(fieldOf(node, "hostname").text.left(ClusterMap::longestHost));
    return address;
}

bool isFailed(const Reply& node)
{
    const QByteArray& health = fieldOf(node, "health").text;
    return health == "fail" || health == "failed";
}

std::vector<std::pair<int, int>> rangesOf(const Reply& shard)
{
    std::vector<std::pair<int, int>> ranges;
    const std::vector<Reply>& ends = fieldOf(shard, "slots").items;
    for (size_t i = 0; i + 1 < ends.size() && ranges.size() < size_t(clusterSlots); i += 2) {
        const qint64 first = ends[i].integer;
        const qint64 last = ends[i + 1].integer;
        if (ends[i].isInteger() && ends[i + 1].isInteger() && first >= 0 && last >= first &&
            last < clusterSlots)
            ranges.emplace_back(int(first), int(last));
    }
    return ranges;
}

} // namespace

// A shard is a master and its replicas. A failed master may be listed beside its successor. The
// slots belong to the one that is up.
std::optional<ClusterMap> ClusterMap::fromShards(const Reply& shards, const Reply& myId,
                                                 const QString& askedAt, bool tls)
{
    ClusterMap map;
    int ranges = 0;
    for (const Reply& shard : shards.items) {
        std::vector<Node> masters;
        std::vector<Replica> replicas;
        for (const Reply& told : fieldOf(shard, "nodes").items) {
            if (map.m_masters.size() + masters.size() + replicas.size() >= mostNodes)
                break;
            const Address address = addressOfNode(told, askedAt, tls);
            if (fieldOf(told, "role").text != "master") {
                replicas.push_back({address, isFailed(told)});
                continue;
            }
            Node node;
            node.id = fieldOf(told, "id").text.left(longestId);
            node.address = address;
            node.endpoint =
                address.port != 0 ? address.endpoint : displayName(node.id.left(shortId));
            node.failed = isFailed(told) || address.port == 0;
            node.myself = myId.isText() && node.id == myId.text;
            masters.push_back(std::move(node));
            if (!address.name.isEmpty() && !map.m_prefersNames)
                map.m_prefersNames = displayName(fieldOf(told, "endpoint").text) == address.name;
        }
        if (masters.empty())
            continue;
        const auto owner = std::find_if(masters.begin(), masters.end(),
                                        [](const Node& node) { return !node.failed; });
        Node& owning = owner == masters.end() ? masters.front() : *owner;
        owning.ranges = rangesOf(shard);
        owning.replicas = std::move(replicas);
        ranges += int(owning.ranges.size());
        if (ranges > mostRanges)
            return std::nullopt;
        std::move(masters.begin(), masters.end(), std::back_inserter(map.m_masters));
    }
    return map.m_masters.empty() ? std::nullopt : std::optional(std::move(map));
}

} // namespace lk
