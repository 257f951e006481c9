// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the router follows a cluster: which masters there are, and which slots each of them has.
#include "backend/redis/topology/asknodes.h"
#include "backend/redis/topology/router.h"

#include <algorithm>

namespace lk {

namespace {

using Phase = ConnectionStatus::Phase;

constexpr int refreshMs = 10'000;      // slots seldom move unnoticed: MOVED tells
constexpr size_t mostAsked = 64;       // nodes, each of which tells of all others
constexpr int troubledRefreshMs = 500; // while a node does not answer: a replica may take over

} // namespace

void Router::askMap(NodeLink* node)
{
    if (std::exchange(m_asking, true))
        return;
    node->connection().send(ClusterMap::commands(), this, [this, node](const BatchResult& result) {
        m_asking = false;
        takeMap(node, result);
        tellWaiting();
    });
}

void Router::takeMap(NodeLink* node, const BatchResult& result)
{
    const std::optional<ClusterMap> map =
        result ? ClusterMap::fromReplies(*result) : std::optional<ClusterMap>();
    if (map)
        adopt(*map, *node);
    else if (m_map)
        scheduleRefresh(troubledRefreshMs);
    else if (result && node->isReady() && m_url.deployment == ServerUrl::Deployment::Cluster) {
        ConnectionStatus status = node->status();
        status.error = result->front().isError() ? errorFromReply(result->front().text)
                                                 : Error{ErrorCode::Protocol, {}};
        setPhase(Phase::Lost, status);
    } else if (result && node->isReady()) {
        setPhase(Phase::Ready, node->status()); // no cluster, or nobody may ask
    }
}

ServerUrl Router::urlOf(const ClusterMap::Address& address, const NodeLink& teller) const
{
    const QString host = address.host.isEmpty() ? teller.url().host : address.host;
    return m_url.at({host, address.port});
}

void Router::adopt(const ClusterMap& map, const NodeLink& teller)
{
    std::vector<NodeLink*> nodes;
    std::vector<NodeLink*> fresh;
    std::vector<NodeLink*> owners(size_t(clusterSlots), nullptr);
    for (const ClusterMap::Node& master : map.masters()) {
        if (master.ranges.empty() || master.address.port == 0)
            continue;
        NodeLink* node = nodeAt(master.endpoint.toUtf8());
        if (!node && master.myself && !m_map) // the entry, under the name that the others know
            node = m_home;
        if (!node) {
            node = addNode(urlOf(master.address, teller));
            fresh.push_back(node);
        }
        node->setEndpoint(master.endpoint);
        nodes.push_back(node);
        for (const auto& [first, last] : master.ranges)
            std::fill(owners.begin() + first, owners.begin() + last + 1, node);
    }
    const bool others = nodes != m_nodes;
    const bool differs = others || !m_map || !(m_map->masters() == map.masters());
    const std::vector<NodeLink*> before = m_nodes;
    m_map = map;
    m_owners = std::move(owners);
    m_mapVersion += differs ? 1 : 0;
    for (NodeLink* node : before) {
        if (std::find(nodes.begin(), nodes.end(), node) == nodes.end())
            removeNode(node);
    }
    m_nodes = std::move(nodes);
    if (!m_home && !m_nodes.empty())
        m_home = anyReady() ? anyReady() : m_nodes.front();
    for (NodeLink* node : fresh)
        node->connection().open();
    if (others)
        emit nodesChanged();
    if (differs)
        emit mapChanged();
    settle();
}

void Router::onClusterStatus(NodeLink* node)
{
    if (node->status().phase == Phase::Ready || node->status().phase == Phase::Lost)
        emit mapChanged();
    settle();
}

// Ready once each node has answered or failed to; lost while none answers.
void Router::settle()
{
    const auto lost = std::find_if(m_nodes.begin(), m_nodes.end(), [](const NodeLink* node) {
        return node->status().phase == Phase::Lost;
    });
    const auto hungUp = std::find_if(m_nodes.begin(), m_nodes.end(), [](const NodeLink* node) {
        return node->status().phase != Phase::Ready &&
               node->status().error.code == ErrorCode::ReplyTooLarge;
    });
    NodeLink* ready = anyReady();
    if (ready && (!m_home || !m_home->isReady()))
        m_home = ready;
    scheduleRefresh(lost == m_nodes.end() ? refreshMs : troubledRefreshMs);
    if (hungUp != m_nodes.end() || (lost != m_nodes.end() && !m_options.reconnect))
        return setPhase(Phase::Lost, (hungUp != m_nodes.end() ? *hungUp : *lost)->status());
    const bool settled = std::all_of(m_nodes.begin(), m_nodes.end(),
                                     [](const NodeLink* node) { return node->isSettled(); });
    if (ready && settled)
        return setPhase(Phase::Ready, ready->status());
    if (settled && lost != m_nodes.end())
        setPhase(Phase::Lost, (*lost)->status());
}

void Router::scheduleRefresh(int ms)
{
    if (!m_refresh.isActive() || m_refresh.remainingTime() > ms)
        m_refresh.start(ms);
}

void Router::refreshMap(QObject* context, std::function<void()> handler)
{
    NodeLink* node = anyReady();
    if (!m_map || !node) {
        QMetaObject::invokeMethod(context, std::move(handler), Qt::QueuedConnection);
        return;
    }
    m_waiting.emplace_back(context, std::move(handler));
    if (m_nodes.size() > mostAsked)
        return askMap(node);
    // Each itself: only a node knows at once what it has taken or is giving away.
    askNodes(*this, ClusterMap::commands().front(), this, [this, node](const NodeReplies& replies) {
        std::optional<ClusterMap> map;
        for (const Reply& reply : replies) {
            const auto told = ClusterMap::fromReplies(std::vector{reply, Reply(), Reply()});
            if (told && map)
                map->takeOwnWord(*told);
            else if (told)
                map = told;
        }
        if (map && m_open)
            adopt(*map, *node);
        tellWaiting();
    });
}

void Router::tellWaiting()
{
    for (const auto& [context, handler] : std::exchange(m_waiting, {})) {
        if (context)
            handler();
    }
}

} // namespace lk
