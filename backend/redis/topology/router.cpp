// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/router.h"

#include "backend/redis/retrypause.h"
#include "backend/redis/topology/keyslot.h"
#include "backend/redis/topology/sentinelwatch.h"

#include <algorithm>

namespace lk {

namespace {

using Phase = ConnectionStatus::Phase;

constexpr int routerDegradedRefreshMs =
    500;                               // while a master does not answer, as another may take over
constexpr int longestPauseMs = 5000;   // between rounds in which no node answers
constexpr qsizetype maxImporting = 16; // bounds what a server may report

// A Sentinel answers like a server but has no keys. The error shows the URL of its group.
Error namedAsServer(const ServerUrl& url, const ServerInfo& sentinel)
{
    QString group = QStringLiteral("MASTER");
    const QString first = sentinel.text("master0"); // "name=orders,status=ok,address=..."
    if (first.startsWith(QLatin1String("name=")))
        group = first.section(QLatin1Char(','), 0, 0).mid(5);
    const QString scheme = url.scheme == ServerUrl::Scheme::Tls ? QStringLiteral("rediss-sentinel")
                                                                : QStringLiteral("redis-sentinel");
    return {ErrorCode::NotPossible,
            Router::tr("This is a Sentinel, which stores no keys: connect with %1://%2/%3")
                .arg(scheme, ServerUrl::Address{url.host, url.port}.text(), group)};
}

} // namespace

Router::Router(ServerUrl url, Connection::Options options, QObject* parent)
    : Link(parent)
    , m_url(std::move(url))
    , m_options(std::move(options))
    , m_refresh(this)
{
    m_refresh.setSingleShot(true);
    connect(&m_refresh, &QTimer::timeout, this, [this] {
        if (NodeLink* node = anyReady(); node && m_map)
            requestMap(node);
    });
    if (m_url.deployment == ServerUrl::Deployment::Sentinel) {
        m_sentinels = new SentinelWatch(m_url, this);
        connect(m_sentinels, &SentinelWatch::masterFound, this, &Router::onSentinelMaster);
        connect(m_sentinels, &SentinelWatch::failed, this, &Router::onSentinelFailed);
    } else {
        m_home = addNode(m_url);
        m_nodes = {m_home};
    }
}

Router::Router(ServerUrl url, QObject* parent)
    : Router(std::move(url), Connection::Options{}, parent)
{}

Router::~Router()
{
    // Delete them first, since their last signals would find this half destroyed.
    for (NodeLink* node : findChildren<NodeLink*>(Qt::FindDirectChildrenOnly))
        delete node;
}

NodeLink* Router::addNode(const ServerUrl& url)
{
    auto* node = new NodeLink(*this, url, m_options);
    node->connection().setWriteMode(m_writeMode);
    connect(node, &NodeLink::statusChanged, this, [this, node] { onNodeStatus(node); });
    return node;
}

void Router::removeNode(NodeLink* node)
{
    node->disconnect(this);
    node->leave();
    m_former.push_back(node);
    std::erase(m_nodes, node);
    if (m_home == node)
        m_home = nullptr;
}

void Router::open()
{
    if (std::exchange(m_open, true))
        return;
    m_tried = 0;
    if (m_sentinels) {
        setPhase(Phase::Resolving, {});
        return m_sentinels->open();
    }
    m_home->connection().open();
}

void Router::close()
{
    m_open = false;
    m_refresh.stop();
    m_waiting.clear();
    m_requesting = false; // replies under way are ignored
    if (m_sentinels)
        m_sentinels->close();
    for (NodeLink* node : m_nodes) {
        const QSignalBlocker quiet(node);
        node->connection().close();
    }
    m_map.reset();
    m_owners.clear();
    for (NodeLink* node : std::vector(m_nodes)) {
        if (node != m_home) // open() begins with m_home and finds the others again
            removeNode(node);
    }
    setPhase(Phase::Closed, {});
}

void Router::retryNow()
{
    if (m_sentinels)
        m_sentinels->ask();
    for (NodeLink* node : std::vector(m_nodes))
        node->connection().retryNow();
}

void Router::setPassword(const QString& user, const QString& password)
{
    m_url.user = user;
    m_url.password = password;
    for (NodeLink* node : m_nodes)
        node->connection().setPassword(user, password);
}

void Router::setSentinelPassword(const QString& user, const QString& password)
{
    m_url.sentinelUser = user;
    m_url.sentinelPassword = password;
    if (m_sentinels)
        m_sentinels->setPassword(user, password);
}

void Router::setWriteMode(bool on)
{
    m_writeMode = on;
    for (NodeLink* node : m_nodes)
        node->connection().setWriteMode(on);
}

bool Router::isWriteModeOn() const
{
    return m_home && m_home->isWriteModeOn();
}

const ServerInfo& Router::greeting() const
{
    static const ServerInfo nothing;
    return m_home ? m_home->greeting() : nothing;
}

bool Router::leavesKeysUntouched() const
{
    return !m_nodes.empty() &&
           std::all_of(m_nodes.begin(), m_nodes.end(), [](const NodeLink* node) {
               return node->leavesKeysUntouched() || !node->isReady();
           });
}

TrafficCounts Router::traffic() const
{
    TrafficCounts sum;
    for (const auto* nodes : {&m_nodes, &m_former}) {
        for (const NodeLink* node : *nodes) {
            const TrafficCounts part = node->traffic();
            sum.commands += part.commands;
            sum.bytesSent += part.bytesSent;
            sum.bytesReceived += part.bytesReceived;
        }
    }
    return sum;
}

double Router::roundTripMs() const
{
    double slowest = -1;
    for (const NodeLink* node : m_nodes)
        slowest = std::max(slowest, node->roundTripMs());
    return slowest;
}

// Before a Sentinel has named a master there is no node, and this fails all commands.
Link& Router::home()
{
    return m_home ? static_cast<Link&>(*m_home) : *this;
}

Link& Router::nodeOf(const QByteArray& key)
{
    NodeLink* owner = m_map ? ownerOf(keySlot(key)) : m_home;
    return owner ? *owner : home();
}

NodeLink* Router::ownerOf(int slot) const
{
    return m_owners.empty() ? nullptr : m_owners[size_t(slot)];
}

NodeLink* Router::linkOf(const ClusterMap::Node& master) const
{
    NodeLink* node = linkWithId(master.id);
    return node ? node : linkAt(master.address);
}

NodeLink* Router::linkWithId(const QByteArray& id) const
{
    const auto it = std::find_if(m_nodes.begin(), m_nodes.end(), [&id](const NodeLink* node) {
        return !id.isEmpty() && node->id() == id;
    });
    return it == m_nodes.end() ? nullptr : *it;
}

NodeLink* Router::linkAt(const ClusterMap::Address& announced) const
{
    const auto it = std::find_if(m_nodes.begin(), m_nodes.end(), [&](const NodeLink* node) {
        return node->endpoint() == announced.endpoint ||
               (node->url().host == announced.host &&
                node->url().port == announced.port); // by the host's name
    });
    return it == m_nodes.end() ? nullptr : *it;
}

// Finds the node of a redirection, which omits the host if it is the asked one.
NodeLink* Router::nodeAt(const QByteArray& address, const NodeLink& source)
{
    const ClusterMap::Address asked = ClusterMap::addressOf(source.endpoint().toUtf8());
    ClusterMap::Node node;
    node.address = ClusterMap::addressOf(address, asked.host);
    if (const ClusterMap::Node* known = m_map ? m_map->at(node.address) : nullptr)
        node = *known;
    NodeLink* link = node.address.port == 0 ? nullptr : linkOf(node);
    if (!link && !node.id.isEmpty() && node.ranges.empty())
        m_importing.insert(node.id); // the next map connects it
    if (!link && node.id.isEmpty() && node.address.port != 0 && m_importing.size() < maxImporting)
        m_importing.insert(node.address.endpoint.toUtf8()); // CLUSTER SLOTS omits it
    return link;
}

NodeLink* Router::anyReady() const
{
    if (m_home && m_home->isReady())
        return m_home;
    const auto it = std::find_if(m_nodes.begin(), m_nodes.end(),
                                 [](const NodeLink* node) { return node->isReady(); });
    return it == m_nodes.end() ? nullptr : *it;
}

// The generation is the router's own, as its nodes come and go.
void Router::setPhase(Phase phase, const ConnectionStatus& like)
{
    ConnectionStatus next = like;
    next.phase = phase;
    next.generation = m_status.generation;
    if (phase == Phase::Ready && m_status.phase != Phase::Ready)
        ++next.generation;
    if (phase != Phase::Lost) {
        next.error = {};
        next.nextTryInMs = 0;
    }
    if (next == m_status)
        return;
    m_status = next;
    emit statusChanged(next);
}

void Router::onNodeStatus(NodeLink* node)
{
    if (!m_open)
        return;
    if (m_map)
        onClusterStatus(node);
    else
        onSoleStatus(node);
}

// The only node, until it reports a cluster.
void Router::onSoleStatus(NodeLink* node)
{
    const ConnectionStatus& status = node->status();
    if (status.phase == Phase::Lost) {
        if (m_sentinels)
            m_sentinels->ask();
        else if (entries().size() > 1 && isTransient(status.error))
            return tryNextEntry(status);
        return setPhase(Phase::Lost, status);
    }
    if (status.phase != Phase::Ready)
        return setPhase(status.phase, status);
    if (!m_sentinels && node->greeting().mode() == ServerMode::Sentinel) {
        ConnectionStatus noKeys = status;
        noKeys.error = namedAsServer(m_url, node->greeting());
        node->connection().close();
        return setPhase(Phase::Lost, noKeys);
    }
    if (m_sentinels && node->greeting().isReplica()) {
        // Sentinels agree before the server itself knows that it is the master.
        ConnectionStatus notYet = status;
        notYet.error = {ErrorCode::Replica, node->greeting().masterEndpoint()};
        notYet.nextTryInMs = routerDegradedRefreshMs;
        node->connection().close();
        QTimer::singleShot(routerDegradedRefreshMs, m_sentinels, &SentinelWatch::ask);
        return setPhase(Phase::Lost, notYet);
    }
    m_rounds = 0;
    const bool asks =
        m_url.deployment == ServerUrl::Deployment::Cluster ||
        (m_url.deployment == ServerUrl::Deployment::Detect && node->greeting().mayBeClusterNode());
    if (!asks)
        return setPhase(Phase::Ready, status);
    setPhase(Phase::Authenticating, status);
    requestMap(node);
}

std::vector<ServerUrl> Router::entries() const
{
    std::vector<ServerUrl> all{m_url};
    for (const ServerUrl::Address& address : m_url.others)
        all.push_back(m_url.at(address));
    const auto isThere = [&](const ServerUrl& url) {
        return std::any_of(all.begin(), all.end(),
                           [&](const ServerUrl& u) { return u.endpoint() == url.endpoint(); });
    };
    for (const ServerUrl& known : m_known) {
        if (!isThere(known))
            all.push_back(known);
    }
    return all;
}

// Tries the entries in turn. The status is Lost only after all have failed, and then a pause
// follows. Many callers stop waiting when it is Lost.
void Router::tryNextEntry(const ConnectionStatus& status)
{
    const std::vector<ServerUrl> all = entries();
    m_entry = (m_entry + 1) % all.size();
    int waitMs = 0;
    if (++m_tried < all.size()) {
        setPhase(Phase::Connecting, status);
    } else {
        m_tried = 0;
        waitMs = retryPause(++m_rounds, routerDegradedRefreshMs, longestPauseMs);
        ConnectionStatus lost;
        lost.error = status.error;
        lost.nextTryInMs = waitMs;
        lost.attempt = m_status.attempt + 1;
        setPhase(Phase::Lost, lost);
    }
    QTimer::singleShot(waitMs, this, [this, failed = QPointer(m_home), url = all[m_entry]] {
        if (m_open && !m_map && m_home == failed)
            beginAt(url);
    });
}

void Router::beginAt(const ServerUrl& url)
{
    for (NodeLink* node : std::vector(m_nodes))
        removeNode(node);
    m_home = addNode(url);
    m_nodes = {m_home};
    emit nodesChanged();
    m_home->connection().open();
}

void Router::onSentinelMaster(const ServerUrl::Address& address)
{
    const ServerUrl url = m_url.at(address);
    if (!m_home || !(m_home->url() == url)) {
        if (m_status.phase == Phase::Ready) {
            ConnectionStatus moved;
            moved.error = {ErrorCode::Replica, url.endpoint().section(QLatin1Char('/'), 0, -2)};
            setPhase(Phase::Lost, moved);
            if (!m_open) // a signal handler has closed this
                return;
        }
        return beginAt(url);
    }
    if (m_home->status().phase == Phase::Closed)
        m_home->connection().open();
    else
        m_home->connection().retryNow();
}

void Router::onSentinelFailed(const Error& error)
{
    if (m_home && m_home->isReady())
        return; // its master is connected, even without Sentinels
    ConnectionStatus status;
    status.error = error;
    status.nextTryInMs = isLogin(error.code) ? 0 : routerDegradedRefreshMs;
    setPhase(Phase::Lost, status);
}

} // namespace lk
