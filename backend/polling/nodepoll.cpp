// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/nodepoll.h"

#include "backend/core/names/keyname.h"
#include "backend/redis/server/serverinfo.h"

#include <algorithm>

namespace lk {

namespace {

constexpr int mostReplicas = 100;            // of one master; INFO has a line for each
constexpr int mostDatabases = 1024;          // the server's default is 16
constexpr qint64 mostKeys = qint64(1) << 48; // of one database, whatever a server says

// "ip=127.0.0.1,port=7004,state=online,offset=280,lag=0"
QHash<QString, QString> pairsOf(const QString& line)
{
    QHash<QString, QString> pairs;
    for (const QString& word : line.split(QLatin1Char(','))) {
        const qsizetype equals = word.indexOf(QLatin1Char('='));
        if (equals > 0)
            pairs.insert(word.left(equals), word.mid(equals + 1));
    }
    return pairs;
}

// Sums the keys of all databases: "db0:keys=12,expires=3,avg_ttl=0".
std::optional<qint64> keysIn(const ServerInfo& info)
{
    qint64 sum = 0;
    for (int db = 0; db < mostDatabases; ++db) {
        const QString line = info.text(("db" + QByteArray::number(db)).constData());
        const qint64 keys = pairsOf(line).value(QStringLiteral("keys")).toLongLong();
        sum += std::clamp<qint64>(keys, 0, mostKeys);
    }
    return info.isEmpty() ? std::nullopt : std::optional(sum);
}

std::vector<Command> settingsCommands()
{
    return {{"CONFIG", "GET", "appendfsync"}, {"CONFIG", "GET", "save"}};
}

} // namespace

NodePoll::NodePoll(Router& router, QObject* parent)
    : QObject(parent)
    , m_router(router)
{}

void NodePoll::ask()
{
    if (!m_router.map())
        return;
    for (NodeLink* node : m_router.nodes()) {
        if (!node->isReady())
            continue;
        const QSet<QByteArray> denied = m_denied.value(node->endpoint());
        if (denied.contains("INFO"))
            continue;
        std::vector<Command> commands{{"INFO"}};
        if (!denied.contains("CONFIG")) {
            const std::vector<Command> settings = settingsCommands();
            commands.insert(commands.end(), settings.begin(), settings.end());
        }
        node->send(commands, this,
                   [this, commands, endpoint = node->endpoint()](const BatchResult& result) {
                       if (result)
                           takeReplies(endpoint, commands, *result);
                   });
    }
}

void NodePoll::askRest(const ServerInfo& info)
{
    if (m_router.map() || m_router.nodes().empty() || info.isEmpty())
        return;
    NodeLink* node = m_router.nodes().front();
    take(node->endpoint(), info);
    node->send(settingsCommands(), this,
               [this, info, endpoint = node->endpoint()](const BatchResult& result) {
                   ServerInfo whole = info;
                   for (const Reply& reply : result ? *result : std::vector<Reply>())
                       whole.addConfig(reply);
                   take(endpoint, whole);
               });
}

void NodePoll::takeReplies(const QString& endpoint, const std::vector<Command>& asked,
                           const std::vector<Reply>& replies)
{
    ServerInfo info = ServerInfo::fromReply(replies.front());
    for (size_t i = 0; i < replies.size(); ++i) {
        // Denied to this user or, as on managed services, to every user.
        if (replies[i].isError() && (errorFromReply(replies[i].text).code == ErrorCode::NoPerm ||
                                     replies[i].text.startsWith("ERR unknown")))
            m_denied[endpoint].insert(asked[i].args().front());
        else if (i > 0)
            info.addConfig(replies[i]);
    }
    if (!replies.front().isError())
        take(endpoint, info);
}

bool NodePoll::evictsByUse() const
{
    return std::any_of(m_facts.begin(), m_facts.end(), [this](const NodeFacts& node) {
        return isCurrent(node) && evictsKeysByUse(node.durability.eviction);
    });
}

// Drops the facts that nodes which have left reported of themselves and of their replicas.
void NodePoll::prune()
{
    QSet<QString> there;
    for (const NodeLink* node : m_router.nodes())
        there.insert(node->endpoint());
    m_facts.removeIf([&there](QHash<QString, NodeFacts>::iterator it) {
        return !there.contains(it->master.isEmpty() ? it.key() : it->master);
    });
}

bool NodePoll::isCurrent(const NodeFacts& facts) const
{
    const QString& source = facts.master.isEmpty() ? facts.endpoint : facts.master;
    const auto& nodes = m_router.nodes();
    return std::any_of(nodes.begin(), nodes.end(), [&source](const NodeLink* node) {
        return node->endpoint() == source && node->isReady();
    });
}

void NodePoll::take(const QString& endpoint, const ServerInfo& info)
{
    prune();
    NodeFacts facts;
    facts.endpoint = endpoint;
    facts.role = info.role();
    facts.keys = keysIn(info);
    facts.memoryBytes = info.number("used_memory");
    facts.commandsPerSecond = info.number("instantaneous_ops_per_sec");
    facts.clients = info.number("connected_clients");
    facts.version = info.version();
    facts.durability = info.durability();
    m_facts.insert(endpoint, facts);
    const std::optional<qint64> written = info.number("master_repl_offset");
    const qint64 replicas =
        std::clamp<qint64>(info.number("connected_slaves").value_or(0), 0, mostReplicas);
    m_facts.removeIf(
        [&endpoint](QHash<QString, NodeFacts>::iterator it) { return it->master == endpoint; });
    for (int i = 0; i < int(replicas); ++i) {
        const auto pairs = pairsOf(info.text(("slave" + QByteArray::number(i)).constData()));
        if (pairs.isEmpty())
            continue;
        NodeFacts replica;
        const QByteArray address = pairs.value(QStringLiteral("ip")).toUtf8() + ':' +
                                   pairs.value(QStringLiteral("port")).toUtf8();
        replica.endpoint = ClusterMap::addressOf(address).endpoint;
        replica.role = NodeRole::Replica;
        replica.master = endpoint;
        replica.reachable = pairs.value(QStringLiteral("state")) == QLatin1String("online");
        bool isNumber = false;
        const qint64 read = pairs.value(QStringLiteral("offset")).toLongLong(&isNumber);
        if (isNumber && written && read >= 0)
            replica.lagBytes = std::max<qint64>(0, *written - read);
        m_facts.insert(replica.endpoint, replica);
    }
}

void NodePoll::addTo(std::vector<NodeFacts>& nodes) const
{
    for (NodeFacts& node : nodes) {
        const auto it = m_facts.constFind(node.endpoint);
        if (it == m_facts.cend())
            continue;
        node.version = it->version;
        if (!isCurrent(*it)) // its other facts are outdated
            continue;
        node.keys = it->keys;
        node.memoryBytes = it->memoryBytes;
        node.commandsPerSecond = it->commandsPerSecond;
        node.clients = it->clients;
        node.durability = it->durability;
        node.lagBytes = it->lagBytes;
        if (!node.reachable)
            node.reachable = it->reachable;
    }
    std::vector<NodeFacts> others;
    for (const NodeFacts& facts : m_facts) {
        const bool known = std::any_of(nodes.begin(), nodes.end(), [&facts](const NodeFacts& n) {
            return n.endpoint == facts.endpoint;
        });
        const bool belongs = std::any_of(nodes.begin(), nodes.end(), [&facts](const NodeFacts& n) {
            return n.endpoint == facts.master;
        });
        if (!known && belongs && !facts.master.isEmpty() && isCurrent(facts))
            others.push_back(facts);
    }
    std::sort(others.begin(), others.end(),
              [](const NodeFacts& a, const NodeFacts& b) { return a.endpoint < b.endpoint; });
    nodes.insert(nodes.end(), others.begin(), others.end());
}

} // namespace lk
