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

    /// Before start(): the nodes hear of each other through this, numbered as they are started: the
    /// masters from 0, then the replicas. Outlives this.
    void setBusProxy(BusProxy* proxy) { m_proxy = proxy; }
    /// Waits until all three agree and take writes; false where that does not come to be.
    bool start();

    RedisServer& node(int i) { return *m_nodes[size_t(i)]; }
    const RedisServer& node(int i) const { return *m_nodes[size_t(i)]; }
    /// Which node a key lives on.
    RedisServer& ownerOf(const QByteArray& key);
    /// One more server, a replica of that node, which all agree on; null where that does not come
    /// to be.
    RedisServer* addReplica(int master);
    /// One more server, a master without slots, which all agree on; null where that does not come
    /// to be.
    RedisServer* addMaster();
    /// One of each: six nodes in all.
    bool addReplicas();
    /// In the order in which they were added.
    RedisServer& replica(int i) { return *m_replicas[size_t(i)]; }
    /// Waits until that one has taken over and all that run agree on it.
    static bool waitForMaster(RedisServer& replica, int patienceMs = 60'000);
    /// Waits until that one follows a master, and has all that it has.
    static bool waitForReplica(RedisServer& replica, int patienceMs = 60'000);
    /// Begins to migrate the slot of that key from its owner to another node, as a reshard does.
    bool migrateSlotOf(const QByteArray& key, RedisServer& to);
    bool migrateSlotOf(const QByteArray& key, int to) { return migrateSlotOf(key, node(to)); }
    /// Moves it there with all of its keys; the nodes concerned know at once and serve, the third
    /// hears of it by gossip.
    bool moveSlotOf(const QByteArray& key, RedisServer& to);
    bool moveSlotOf(const QByteArray& key, int to) { return moveSlotOf(key, node(to)); }
    /// Waits until that node does not think the cluster down.
    static bool serves(RedisServer& server);
    /// All nodes tell the same of who has which slots.
    bool agrees();
    /// That node by itself, whatever it belongs to.
    ServerUrl aloneUrl(int i)
    {
        ServerUrl url = node(i).tcpUrl();
        url.deployment = ServerUrl::Deployment::Node;
        return url;
    }
    /// A name with that beginning whose slot the node has, or has not.
    QByteArray nameOn(int node, const QByteArray& stem) const;
    static int nodeOfSlot(int slot);

private:
    /// busPort: in, its own; out, the one that the others are told.
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
