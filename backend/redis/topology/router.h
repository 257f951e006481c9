// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/task.h"
#include "backend/redis/topology/clustermap.h"
#include "backend/redis/topology/nodelink.h"

#include <QElapsedTimer>
#include <QSet>
#include <QTimer>

#include <memory>

namespace lk {

class SentinelWatch;

/// Routes commands to a whole deployment. For a single server it passes them through. For a cluster
/// it connects to every master and sends a command to the node of its key. For a Sentinel group it
/// sends them to the current master.
///
/// Commands that read follow MOVED and ASK. Commands that act are sent to one node, once, and
/// follow neither. If a node does not answer, only the commands for its keys fail, each with an
/// error reply (ErrorCode::NodeDown). The status is Lost while no node answers, and after an
/// oversized reply until that node is back. Lives in the thread that made it, as do its
/// connections; in a session that is the I/O thread.
class Router final : public Link
{
    Q_OBJECT

public:
    explicit Router(ServerUrl url, Connection::Options options, QObject* parent = nullptr);
    explicit Router(ServerUrl url, QObject* parent = nullptr);
    ~Router() override;

    /// Starts connecting; statusChanged reports the progress.
    void open();
    /// Fails the batches under way with Cancelled and closes. No status but Closed follows.
    void close();
    /// While lost: tries now instead of at the planned time.
    void retryNow();
    void setPassword(const QString& user, const QString& password);
    void setSentinelPassword(const QString& user, const QString& password);
    /// Sets further nodes that can report the map, in case the addresses of the URL are down.
    void setKnownNodes(std::vector<ServerUrl> nodes) { m_known = std::move(nodes); }
    void setWriteMode(bool on);

    /// Which master has which slots. Empty if it is no cluster, if one of its nodes is viewed on
    /// its own, or if this user may not ask.
    const std::optional<ClusterMap>& map() const { return m_map; }
    /// Grows with each change of the map.
    quint64 mapVersion() const { return m_mapVersion; }
    /// Requests the map again, for example after a scan, to find slots that have moved meanwhile.
    /// The handler is called once, as by send(), even if no map was received.
    void refreshMap(QObject* context, std::function<void()> handler);
    /// The nodes that hold the data, in the map's order: a single server, or the cluster's masters
    /// with slots and those that receive their first slot. Before it is ready: the nodes known so
    /// far.
    const std::vector<NodeLink*>& nodes() const { return m_nodes; }
    Link& nodeOf(const QByteArray& key) override;
    Link& home() override;
    bool followsCluster() const override { return m_map.has_value(); }
    std::vector<Link*> dataNodes() override { return {m_nodes.begin(), m_nodes.end()}; }

    const ServerUrl& url() const override { return m_url; }
    const ConnectionStatus& status() const override { return m_status; }
    const ServerInfo& greeting() const override;
    bool leavesKeysUntouched() const override;
    TrafficCounts traffic() const override;
    double roundTripMs() const override;
    void send(const std::vector<Command>& commands, QObject* context,
              BatchHandler handler) override;
    void sendUnfollowed(const Command& command, QObject* context, BatchHandler handler) override;
    bool isWriteModeOn() const override;
    void sendActing(const std::vector<Command>& commands, QObject* context,
                    BatchHandler handler) override;

    /// Like send() and sendActing(), but commands without a key go to that node.
    void sendFrom(NodeLink& home, const std::vector<Command>& commands, QObject* context,
                  BatchHandler handler);
    void sendActingFrom(NodeLink& home, const std::vector<Command>& commands, QObject* context,
                        BatchHandler handler);

signals:
    /// The set of nodes that hold the data has changed.
    void nodesChanged();
    /// Slots have moved, or a node has joined, left, gone down or come back.
    void mapChanged();

private:
    struct Batch;
    using BatchPtr = std::shared_ptr<Batch>;
    using NodeMaps = std::vector<std::pair<NodeLink*, ClusterMap>>; ///< with the reporting node
    struct Redirect
    {
        size_t index = 0;
        NodeLink* to = nullptr; ///< null: sent again later, to the node that the map names then
        bool ask = false;       ///< once only, after ASKING
    };

    NodeLink* addNode(const ServerUrl& url);
    void removeNode(NodeLink* node);
    void beginAt(const ServerUrl& url);
    std::vector<ServerUrl> entries() const;
    void tryNextEntry(const ConnectionStatus& status);
    void onNodeStatus(NodeLink* node);
    void onSoleStatus(NodeLink* node);
    void onClusterStatus(NodeLink* node);
    void onSentinelMaster(const ServerUrl::Address& address);
    void onSentinelFailed(const Error& error);
    void requestMap(NodeLink* node);
    Task<> queryMaps();
    std::optional<ClusterMap> mapFrom(std::span<const Reply> replies, const NodeLink& node) const;
    void mergeMaps(NodeMaps maps);
    void notifyWaiting();
    void takeMap(NodeLink* node, const BatchResult& result);
    bool holdsData(const ClusterMap& map, const ClusterMap::Node& master);
    void adopt(ClusterMap map, NodeLink& source);
    NodeLink* keptLink(const ClusterMap& map, const ClusterMap::Node& master) const;
    ServerUrl urlOf(const ClusterMap::Address& address, const NodeLink& source) const;
    void updatePhase();
    bool canActBeside() const;
    void scheduleRefresh(int ms);
    NodeLink* anyReady() const;
    NodeLink* ownerOf(int slot) const;
    NodeLink* linkOf(const ClusterMap::Node& master) const;
    NodeLink* linkAt(const ClusterMap::Address& announced) const;
    NodeLink* linkWithId(const QByteArray& id) const;
    NodeLink* nodeAt(const QByteArray& address, const NodeLink& source);
    void setPhase(ConnectionStatus::Phase phase, const ConnectionStatus& like);
    void dispatch(const BatchPtr& batch, NodeLink& node, std::vector<size_t> indexes, bool ask);
    void dispatchLater(const BatchPtr& batch, NodeLink& node, std::vector<size_t> indexes,
                       bool ask);
    void take(const BatchPtr& batch, NodeLink& node, const std::vector<size_t>& indexes, bool ask,
              BatchResult result);
    std::optional<Redirect> redirectFor(const Batch& batch, const NodeLink& node, size_t index,
                                        const Reply& reply);
    void follow(const BatchPtr& batch, const std::vector<Redirect>& redirects);
    void followLater(const BatchPtr& batch, std::vector<size_t> indexes);
    void awaitCluster(const BatchPtr& batch, std::vector<size_t> indexes);
    void release(const BatchPtr& batch, const std::vector<size_t>& indexes);
    void finish(const BatchPtr& batch);

    ServerUrl m_url;
    Connection::Options m_options;
    ConnectionStatus m_status;
    SentinelWatch* m_sentinels = nullptr; ///< a child; null if it is no Sentinel group
    std::vector<NodeLink*> m_nodes;       ///< children
    std::vector<NodeLink*> m_former;      ///< children whose nodes have left
    NodeLink* m_home = nullptr;           ///< receives commands without a key
    std::optional<ClusterMap> m_map;
    std::vector<NodeLink*> m_owners; ///< by slot; empty: no cluster
    quint64 m_mapVersion = 0;
    QSet<QByteArray> m_importing; ///< ids or addresses of masters that receive their first slot
    std::optional<bool> m_prefersNames; ///< see ClusterMap::prefersNames()
    std::vector<std::pair<QPointer<QObject>, std::function<void()>>> m_waiting; ///< for the map
    QTimer m_refresh;
    QElapsedTimer m_sinceRequest;   ///< for the map
    std::vector<ServerUrl> m_known; ///< see setKnownNodes()
    size_t m_entry = 0;             ///< the index in entries() that is tried
    int m_rounds = 0;               ///< rounds over entries() in a row without a connection
    size_t m_tried = 0;             ///< entries tried without success since the last loss
    bool m_requesting = false;
    bool m_open = false;
    bool m_writeMode = false;
};

} // namespace lk
