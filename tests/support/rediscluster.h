// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/busproxy.h"
#include "tests/support/redisserver.h"

#include <map>

namespace lk::test {

/// Three masters of a real cluster, each with a third of the slots, on free ports of 127.0.0.1.
class RedisCluster final
{
public:
    static constexpr int size = 3;

    /// Call before start(): the nodes talk to each other through this proxy. They are numbered as
    /// they start: the masters from 0, then the replicas. The proxy outlives this.
    void setBusProxy(BusProxy* proxy) { m_proxy = proxy; }
    /// Waits until all three agree and accept writes; returns false on failure.
    bool start();

    RedisServer& node(int i) { return *m_nodes[size_t(i)]; }
    const RedisServer& node(int i) const { return *m_nodes[size_t(i)]; }
    /// The node that serves the key.
    RedisServer& ownerOf(const QByteArray& key);
    /// Adds a replica of that node and waits until all agree on it; null on failure.
    RedisServer* addReplica(int master);
    /// Adds a master without slots and waits until all agree on it; null on failure.
    RedisServer* addMaster();
    /// Adds a replica of each master: six nodes in all.
    bool addReplicas();
    /// The replicas, in the order in which they were added.
    RedisServer& replica(int i) { return *m_replicas[size_t(i)]; }
    /// Waits until the replica has taken over and all running nodes agree on it.
    static bool waitForMaster(RedisServer& replica, int patienceMs = 60'000);
    /// Waits until the replica follows a master and has all of its data.
    static bool waitForReplica(RedisServer& replica, int patienceMs = 60'000);
    /// Begins to migrate the slot of that key from its owner to another node, as a reshard does.
    bool migrateSlotOf(const QByteArray& key, RedisServer& to);
    bool migrateSlotOf(const QByteArray& key, int to) { return migrateSlotOf(key, node(to)); }
    /// Moves the slot of that key with all of its keys. Both nodes know it at once and serve it;
    /// the third learns of it by gossip.
    bool moveSlotOf(const QByteArray& key, RedisServer& to);
    bool moveSlotOf(const QByteArray& key, int to) { return moveSlotOf(key, node(to)); }
    /// Waits until that node considers the cluster to be up.
    static bool serves(RedisServer& server);
    /// True if all nodes report the same slots for each node.
    bool agrees();
    /// The URL of that node alone, not of its cluster.
    ServerUrl aloneUrl(int i)
    {
        ServerUrl url = node(i).tcpUrl();
        url.deployment = ServerUrl::Deployment::Node;
        return url;
    }
    /// A name with that beginning whose slot the node has at the start.
    QByteArray nameOn(int node, const QByteArray& stem) const;
    static int nodeOfSlot(int slot);

private:
    /// busPort: in, its own port; out, the port that it announces.
    std::unique_ptr<RedisServer> startNode(QByteArray& busPort);
    RedisServer* meetNode(int other);
    bool replicate(RedisServer& replica, int master);

    std::array<std::unique_ptr<RedisServer>, size> m_nodes;
    std::vector<std::unique_ptr<RedisServer>> m_replicas;
    BusProxy* m_proxy = nullptr;
    int m_started = 0;
    std::map<int, RedisServer*> m_moved; ///< slots and where they are since
};

} // namespace lk::test
