// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the router follows a cluster: which masters there are, and which slots each of them has.
#include "backend/redis/topology/askmap.h"
#include "backend/redis/topology/asknodes.h"
#include "backend/redis/topology/router.h"

#include <algorithm>

namespace lk {

namespace {

using Phase = ConnectionStatus::Phase;

constexpr int refreshMs = 10'000; // MOVED reports most moved slots
constexpr int betweenRequestsMs = 100;
constexpr size_t maxQueried = 64; // nodes; each one reports all others
constexpr int clusterFollowingDegradedRefreshMs =
    500; // while a node does not answer, as a replica may take over

// Returns whether the node that reported the map reaches most of the masters. Otherwise it is on
// the smaller side of a partition, or most masters are down. Then it cannot know of failovers and
// still reports the previous masters.
bool seesMajority(const ClusterMap& map)
{
    int all = 0;
    int reached = 0;
    for (const ClusterMap::Node& node : map.masters()) {
        all += node.ranges.empty() ? 0 : 1;
        reached += node.ranges.empty() || node.failed ? 0 : 1;
    }
    return 2 * reached > all;
}

} // namespace

void Router::requestMap(NodeLink* node)
{
    if (std::exchange(m_requesting, true))
        return;
    m_sinceRequest.start();
    launch(queryMap(node->connection(), this), [this, node](const BatchResult& result) {
        m_requesting = false;
        takeMap(node, result);
        notifyWaiting();
    });
}

std::optional<ClusterMap> Router::mapFrom(std::span<const Reply> replies,
                                          const NodeLink& node) const
{
    return ClusterMap::fromReplies(replies, node.url().host,
                                   m_url.scheme == ServerUrl::Scheme::Tls);
}

void Router::takeMap(NodeLink* node, const BatchResult& result)
{
    const std::optional<ClusterMap> map =
        result ? mapFrom(*result, *node) : std::optional<ClusterMap>();
    if (map && m_map && !seesMajority(*map) && m_nodes.size() <= maxQueried) {
        // Ask all nodes once, since others may know better. Not before this reply was handled.
        m_requesting = true;
        QTimer::singleShot(0, this, [this] {
            refreshMap(this, [this] {
                m_requesting = false;
                scheduleRefresh(clusterFollowingDegradedRefreshMs);
            });
        });
    } else if (map) {
        ClusterMap whole = *map;
        if (m_map)
            whole.keepOwnSlots(*m_map);
        adopt(std::move(whole), *node);
    } else if (m_map)
        scheduleRefresh(clusterFollowingDegradedRefreshMs);
    else if (result && node->isReady() && m_url.deployment == ServerUrl::Deployment::Cluster) {
        ConnectionStatus status = node->status();
        status.error = result->front().isError() ? errorFromReply(result->front().text)
                                                 : Error{ErrorCode::Protocol, {}};
        setPhase(Phase::Lost, status);
    } else if (result && node->isReady()) {
        setPhase(Phase::Ready, node->status()); // no cluster, or CLUSTER is denied
    }
}

ServerUrl Router::urlOf(const ClusterMap::Address& address, const NodeLink& source) const
{
    const ServerUrl::Address ip{address.host.isEmpty() ? source.url().host : address.host,
                                address.port};
    const bool isMapped = !(m_url.mapped(ip) == ip);
    const bool named = m_prefersNames.value_or(m_url.scheme == ServerUrl::Scheme::Tls);
    if (named && !isMapped && !address.name.isEmpty())
        return m_url.at({address.name, address.port});
    return m_url.at(ip);
}

// Returns whether the master has data or may have some: one that takes its first slot has keys
// before it has a slot. If no node reports that, or only the giving one, a redirection does.
bool Router::holdsData(const ClusterMap& map, const ClusterMap::Node& master)
{
    if (master.ranges.empty() && map.takesFirst(master))
        m_importing.insert(master.id);
    else if (!master.ranges.empty() || master.failed)
        m_importing.remove(master.id);
    return !master.ranges.empty() || m_importing.contains(master.id);
}

// Nodes may report addresses of each other that only they can reach. A node that has answered is
// kept under any reported address, until another node has its address, or until it is down and no
// node uses that address any more. Null: a new connection is needed.
NodeLink* Router::keptLink(const ClusterMap& map, const ClusterMap::Node& master) const
{
    NodeLink* known = linkWithId(master.id);
    const bool keeps =
        known && !map.isAddressOfOther(known->endpoint(), master.id) &&
        (!known->isDown() || (known->status().generation > 0 && master.isNamed(known->endpoint())));
    return keeps ? known : linkAt(master.address);
}

void Router::adopt(ClusterMap map, NodeLink& source)
{
    std::vector<NodeLink*> nodes;
    std::vector<NodeLink*> fresh;
    std::vector<NodeLink*> owners(size_t(clusterSlots), nullptr);
    if (map.prefersNames()) // not every reply contains it
        m_prefersNames = map.prefersNames();
    for (const ClusterMap::Node& master : std::vector(map.masters())) {
        if (!holdsData(map, master))
            continue;
        NodeLink* node = keptLink(map, master);
        if (!node && master.address.port == 0)
            continue;
        if (!node && master.myself && !m_map) // the entry, under the name that other nodes use
            node = m_home;
        if (!node) {
            node = addNode(urlOf(master.address, source));
            fresh.push_back(node);
        }
        const ClusterMap::Node* before = m_map ? m_map->withId(master.id) : nullptr;
        if (before && node->id() == master.id && node->endpoint() == before->endpoint)
            map.setAddress(master.id, before->address);
        else
            node->setEndpoint(master.endpoint);
        node->setId(master.id);
        nodes.push_back(node);
        for (const auto& [first, last] : master.ranges)
            std::fill(owners.begin() + first, owners.begin() + last + 1, node);
    }
    if (m_map) // addresses that a redirection may still contain
        map.takeAddresses(*m_map);
    m_importing.removeIf([&map](const QByteArray& id) {
        return !id.contains(':') &&
               std::none_of(map.masters().begin(), map.masters().end(),
                            [&id](const ClusterMap::Node& node) { return node.id == id; });
    });
    // Nodes known only from a redirection, until a map contains them or they do not answer.
    for (const QByteArray& importing : std::as_const(m_importing).values()) {
        if (!importing.contains(':'))
            continue;
        ClusterMap::Node named;
        named.address = ClusterMap::addressOf(importing);
        NodeLink* node = linkOf(named);
        if (map.at(named.address) || (node && node->wasTried() && !node->isReady())) {
            m_importing.remove(importing);
            continue;
        }
        if (!node) {
            node = addNode(urlOf(named.address, source));
            node->setEndpoint(named.address.endpoint);
            fresh.push_back(node);
        }
        if (std::find(nodes.begin(), nodes.end(), node) == nodes.end())
            nodes.push_back(node);
    }
    if (nodes.empty()) // no node has a slot yet; the source exists anyway
        nodes.push_back(&source);
    const bool others = nodes != m_nodes;
    const bool differs = others || !m_map || !(m_map->masters() == map.masters());
    const std::vector<NodeLink*> before = m_nodes;
    m_map = std::move(map);
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
    for (NodeLink* node : std::vector(m_nodes)) { // an acting router has not seen these yet
        if (!m_options.reconnect && node->status().generation == 0)
            node->connection().retryNow();
    }
    if (!m_map) // a signal handler has closed this
        return;
    if (others)
        emit nodesChanged();
    if (differs)
        emit mapChanged();
    updatePhase();
}

void Router::onClusterStatus(NodeLink* node)
{
    if (node->status().phase == Phase::Ready || node->status().phase == Phase::Lost)
        emit mapChanged();
    updatePhase();
}

// Ready once each node has answered or failed. Lost while no node answers.
void Router::updatePhase()
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
    const bool failing = std::any_of(
        m_map->masters().begin(), m_map->masters().end(),
        [](const ClusterMap::Node& node) { return node.failed && !node.ranges.empty(); });
    scheduleRefresh(lost != m_nodes.end() || failing ? clusterFollowingDegradedRefreshMs
                                                     : refreshMs);
    // An acting router does not continue after a loss that it has seen. A node that was down from
    // the start does not block actions on the others, as long as most are there: see
    // canActBeside().
    const auto gone = std::find_if(m_nodes.begin(), m_nodes.end(), [this](const NodeLink* node) {
        return !m_options.reconnect && node->status().phase == Phase::Lost &&
               node->status().generation > 0;
    });
    if (hungUp != m_nodes.end() || gone != m_nodes.end())
        return setPhase(Phase::Lost, (hungUp != m_nodes.end() ? *hungUp : *gone)->status());
    const bool allTried = std::all_of(m_nodes.begin(), m_nodes.end(),
                                      [](const NodeLink* node) { return node->wasTried(); });
    // A node that is cut off from the others does not know where they are now. Only they know the
    // rest.
    if (ready && allTried && m_status.phase != Phase::Ready && !seesMajority(*m_map) &&
        m_waiting.empty() && m_nodes.size() <= maxQueried)
        return refreshMap(this, [] {});
    if (ready && allTried && (m_status.phase == Phase::Ready || canActBeside()))
        return setPhase(Phase::Ready, ready->status());
    if (allTried && lost != m_nodes.end())
        setPhase(Phase::Lost, (*lost)->status());
}

// Masters on the smaller side of a partition may have been replaced on the other side. An acting
// router therefore waits until it reaches most of the masters itself, and the node that reported
// the map does, too.
bool Router::canActBeside() const
{
    const auto reached = std::count_if(m_nodes.begin(), m_nodes.end(),
                                       [](const NodeLink* node) { return node->isReady(); });
    return m_options.reconnect || size_t(reached) == m_nodes.size() ||
           (2 * size_t(reached) > m_nodes.size() && seesMajority(*m_map));
}

// Refreshes at once if a node names an unknown one, but not repeatedly: two nodes that name each
// other would be asked as fast as they answer.
void Router::scheduleRefresh(int ms)
{
    const qint64 since = m_sinceRequest.isValid() ? m_sinceRequest.elapsed() : betweenRequestsMs;
    ms = std::max(ms, int(std::max<qint64>(0, betweenRequestsMs - since)));
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
    if (m_nodes.size() > maxQueried)
        requestMap(node);
    else
        launch(queryMaps());
}

// Asks every node, as only the node itself knows at once which slots it takes or gives. For users
// with fewer permissions: asks CLUSTER SHARDS, and if all nodes deny it, CLUSTER SLOTS.
Task<> Router::queryMaps()
{
    const std::vector<NodeLink*> asked = m_nodes;
    const std::vector<Command> commands = ClusterMap::commands();
    NodeMaps maps;
    const auto take = [&](size_t i, const std::vector<Reply>& own) {
        if (auto map = mapFrom(own, *asked[i]))
            maps.emplace_back(asked[i], std::move(*map));
    };
    const NodeReplies views = co_await queryNodes(*this, commands[0], this);
    for (size_t i = 0; i < views.size(); ++i)
        take(i, {views[i], Reply(), Reply()});
    if (!maps.empty() || m_nodes != asked)
        co_return mergeMaps(std::move(maps));
    NodeReplies ranges = co_await queryNodes(*this, ClusterMap::shardsCommand(), this);
    const bool shards = !std::all_of(ranges.begin(), ranges.end(),
                                     [](const Reply& reply) { return reply.isError(); });
    if (!shards && m_nodes == asked)
        ranges = co_await queryNodes(*this, commands[1], this);
    if (m_nodes != asked)
        co_return notifyWaiting();
    const NodeReplies ids = co_await queryNodes(*this, commands[2], this);
    for (size_t i = 0; i < asked.size(); ++i) {
        std::vector<Reply> own{Reply(), shards ? Reply() : ranges[i], ids[i]};
        if (shards)
            own.push_back(ranges[i]);
        take(i, own);
    }
    mergeMaps(std::move(maps));
}

void Router::mergeMaps(NodeMaps maps)
{
    // In a partition only the side with most masters can fail over.
    const bool any =
        std::any_of(maps.begin(), maps.end(), [](const auto& t) { return seesMajority(t.second); });
    if (any)
        std::erase_if(maps, [](const auto& t) { return !seesMajority(t.second); });
    if (!maps.empty() && m_open) {
        ClusterMap& map = maps.front().second;
        for (size_t i = 1; i < maps.size(); ++i) {
            map.takeOwnSlots(maps[i].second);
            map.takeAddresses(maps[i].second);
        }
        const bool isHome = std::any_of(maps.begin(), maps.end(),
                                        [this](const auto& t) { return t.first == m_home; });
        if (any && !isHome)
            m_home = maps.front().first; // replaces one that is cut off
        NodeLink* source = maps.front().first;
        adopt(std::move(map), *source);
    }
    notifyWaiting();
}

void Router::notifyWaiting()
{
    for (const auto& [context, handler] : std::exchange(m_waiting, {})) {
        if (context)
            handler();
    }
}

} // namespace lk
