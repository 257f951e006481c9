// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/rediscluster.h"

#include "backend/redis/topology/keyslot.h"
#include "tests/support/freeport.h"

#include <QTest>

#include <algorithm>

namespace lk::test {

namespace {

constexpr int firstSlots[RedisCluster::size + 1] = {0, 5461, 10923, 16384};

QByteArray freeBusPort()
{
    return QByteArray::number(freePort());
}

} // namespace

std::unique_ptr<RedisServer> RedisCluster::startNode(QByteArray& busPort)
{
    auto node = std::make_unique<RedisServer>();
    QStringList arguments{QStringLiteral("--cluster-enabled"), QStringLiteral("yes"),
                          QStringLiteral("--cluster-node-timeout"), QStringLiteral("2000"),
                          // A replica of a slow machine takes over late, not never.
                          QStringLiteral("--cluster-replica-validity-factor"), QStringLiteral("0"),
                          QStringLiteral("--cluster-port"), QString::fromLatin1(busPort),
                          // Else a replica waits 5 s for others before it is given the data.
                          QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")};
    if (m_proxy) {
        const quint16 told = m_proxy->add(m_started, quint16(busPort.toInt()));
        const QString local = QStringLiteral("127.0.0.1");
        // Redis takes only 127.0.0.1 for this machine, and protects itself from all others.
        arguments += {QStringLiteral("--protected-mode"), QStringLiteral("no")};
        arguments += {QStringLiteral("--cluster-announce-bus-port"), QString::number(told),
                      QStringLiteral("--cluster-announce-ip"),       local,
                      QStringLiteral("--replica-announce-ip"),       local,
                      QStringLiteral("--bind-source-addr"),          BusProxy::sourceOf(m_started)};
        busPort = QByteArray::number(told);
    }
    ++m_started;
    node->setArguments(arguments);
    node->addTcp();
    return node->start() ? std::move(node) : nullptr;
}

bool RedisCluster::start()
{
    std::array<QByteArray, size> busPorts;
    for (int i = 0; i < size; ++i) {
        busPorts[size_t(i)] = freeBusPort();
        auto& node = m_nodes[size_t(i)];
        node = startNode(busPorts[size_t(i)]);
        if (!node)
            return false;
        node->run({"CLUSTER", "SET-CONFIG-EPOCH", QByteArray::number(i + 1)});
        node->run({"CLUSTER", "ADDSLOTSRANGE", QByteArray::number(firstSlots[i]),
                   QByteArray::number(firstSlots[i + 1] - 1)});
    }
    for (int i = 1; i < size; ++i)
        m_nodes[0]->run({"CLUSTER", "MEET", "127.0.0.1",
                         QByteArray::number(m_nodes[size_t(i)]->port()), busPorts[size_t(i)]});
    return QTest::qWaitFor(
        [this] {
            return std::all_of(m_nodes.begin(), m_nodes.end(), [](const auto& node) {
                const QByteArray info = node->line("CLUSTER INFO").text;
                return info.contains("cluster_state:ok") && info.contains("cluster_size:3");
            });
        },
        30'000);
}

RedisServer* RedisCluster::meetNode(int other)
{
    QByteArray busPort = freeBusPort();
    std::unique_ptr<RedisServer> fresh = startNode(busPort);
    if (!fresh)
        return nullptr;
    RedisServer& added = *m_replicas.emplace_back(std::move(fresh));
    node(other).run({"CLUSTER", "MEET", "127.0.0.1", QByteArray::number(added.port()), busPort});
    return &added;
}

bool RedisCluster::replicate(RedisServer& replica, int master)
{
    const QByteArray id = node(master).line("CLUSTER MYID").text;
    const bool replicates = QTest::qWaitFor(
        [&] {
            return replica.run({"CLUSTER", "REPLICATE", id}).text == "OK";
        },
        30'000);
    if (!replicates || !waitForReplica(replica, 30'000))
        return false;
    // The other masters learn of it by gossip.
    const QByteArray own = replica.line("CLUSTER MYID").text;
    const auto knows = [&](const std::unique_ptr<RedisServer>& each) {
        const QList<QByteArray> lines = each->line("CLUSTER NODES").text.split('\n');
        return std::any_of(lines.begin(), lines.end(), [&](const QByteArray& line) {
            return line.startsWith(own) && line.contains("slave " + id);
        });
    };
    return QTest::qWaitFor([&] { return std::all_of(m_nodes.begin(), m_nodes.end(), knows); },
                           30'000);
}

bool RedisCluster::waitForReplica(RedisServer& replica, int patienceMs)
{
    return QTest::qWaitFor(
        [&] {
            const QByteArray info = replica.line("INFO replication").text;
            return info.contains("role:slave") && info.contains("master_link_status:up") &&
                   replica.line("CLUSTER INFO").text.contains("cluster_state:ok");
        },
        patienceMs);
}

RedisServer* RedisCluster::addReplica(int master)
{
    RedisServer* added = meetNode(master);
    return added && replicate(*added, master) ? added : nullptr;
}

RedisServer* RedisCluster::addMaster()
{
    RedisServer* added = meetNode(0);
    const auto knowsAll = [](RedisServer& node) {
        const QByteArray info = node.line("CLUSTER INFO").text;
        return info.contains("cluster_state:ok") &&
               info.contains("cluster_known_nodes:" + QByteArray::number(size + 1));
    };
    const bool known =
        added && QTest::qWaitFor(
                     [&] {
                         return knowsAll(*added) &&
                                std::all_of(m_nodes.begin(), m_nodes.end(),
                                            [&](const auto& n) { return knowsAll(*n); });
                     },
                     30'000);
    return known ? added : nullptr;
}

bool RedisCluster::addReplicas()
{
    const size_t before = m_replicas.size();
    for (int i = 0; i < size; ++i) {
        if (!meetNode(i))
            return false;
    }
    for (int i = 0; i < size; ++i) {
        if (!replicate(*m_replicas[before + size_t(i)], i))
            return false;
    }
    return true;
}

bool RedisCluster::waitForMaster(RedisServer& replica, int patienceMs)
{
    return QTest::qWaitFor(
        [&] {
            return replica.line("INFO replication").text.contains("role:master") &&
                   replica.line("CLUSTER INFO").text.contains("cluster_state:ok");
        },
        patienceMs);
}

bool RedisCluster::migrateSlotOf(const QByteArray& key, RedisServer& to)
{
    const QByteArray slot = QByteArray::number(keySlot(key));
    RedisServer& from = ownerOf(key);
    const QByteArray source = from.line("CLUSTER MYID").text;
    const QByteArray target = to.line("CLUSTER MYID").text;
    return to.run({"CLUSTER", "SETSLOT", slot, "IMPORTING", source}).text == "OK" &&
           from.run({"CLUSTER", "SETSLOT", slot, "MIGRATING", target}).text == "OK";
}

bool RedisCluster::moveSlotOf(const QByteArray& key, RedisServer& to)
{
    const QByteArray slot = QByteArray::number(keySlot(key));
    RedisServer& from = ownerOf(key);
    if (&from == &to)
        return true;
    const QByteArray target = to.line("CLUSTER MYID").text;
    if (!migrateSlotOf(key, to))
        return false;
    while (true) {
        const Reply keys = from.run({"CLUSTER", "GETKEYSINSLOT", slot, "100"});
        if (keys.items.empty())
            break;
        Command migrate{"MIGRATE", "127.0.0.1", QByteArray::number(to.port()), "", "0",
                        "5000",    "KEYS"};
        for (const Reply& name : keys.items)
            migrate << name.text;
        const QByteArray answer = from.run(migrate).text;
        if (answer != "OK" && answer != "NOKEY") // they have expired
            return false;
    }
    m_moved[keySlot(key)] = &to;
    return to.run({"CLUSTER", "SETSLOT", slot, "NODE", target}).text == "OK" &&
           from.run({"CLUSTER", "SETSLOT", slot, "NODE", target}).text == "OK" && serves(to) &&
           serves(from);
}

bool RedisCluster::serves(RedisServer& server)
{
    return QTest::qWaitFor(
        [&server] { return server.line("CLUSTER INFO").text.contains("cluster_state:ok"); },
        30'000);
}

bool RedisCluster::agrees()
{
    QSet<QByteArray> told;
    for (const auto& node : m_nodes) {
        QByteArrayList masters;
        for (const QByteArray& line : node->line("CLUSTER NODES").text.split('\n')) {
            const QByteArrayList words = line.split(' ');
            if (words.size() > 8)
                masters << words[0] + ' ' + words.mid(8).join(' ');
        }
        std::sort(masters.begin(), masters.end());
        told.insert(masters.join('\n'));
    }
    return told.size() == 1;
}

int RedisCluster::nodeOfSlot(int slot)
{
    return slot < firstSlots[1] ? 0 : slot < firstSlots[2] ? 1 : 2;
}

RedisServer& RedisCluster::ownerOf(const QByteArray& key)
{
    const int slot = keySlot(key);
    const auto moved = m_moved.find(slot);
    return moved == m_moved.end() ? node(nodeOfSlot(slot)) : *moved->second;
}

QByteArray RedisCluster::nameOn(int node, const QByteArray& stem) const
{
    for (int i = 0;; ++i) {
        const QByteArray name = stem + QByteArray::number(i);
        if (nodeOfSlot(keySlot(name)) == node)
            return name;
    }
}

} // namespace lk::test
