// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/topology/clustermap.h"
#include "backend/redis/topology/nodelink.h"

#include <QElapsedTimer>
#include <QSet>
#include <QTimer>

#include <memory>

namespace lk {

class SentinelWatch;

/// The way to a whole deployment. A server alone is passed through to. Of a cluster every master is
/// connected to, and a command goes where its key is; of a Sentinel group, whoever is its master.
///
/// What reads follows MOVED and ASK; what acts is sent to one node, once, and never after them. A
/// node that does not answer fails the commands for its keys alone, each with an error reply
/// (ErrorCode::NodeDown); the others go on. The status is Lost while no node answers, and after a
/// reply that was too large until that node is back. Lives in the thread that made it, as do its
/// connections; of a session the I/O thread.
class Router final : public Link
{
    Q_OBJECT

public:
    explicit Router(ServerUrl url, Connection::Options options, QObject* parent = nullptr);
    explicit Router(ServerUrl url, QObject* parent = nullptr);
    ~Router() override;

    /// Starts connecting; statusChanged tells how it goes.
    void open();
    /// Fails what is under way with Cancelled and closes; no status but Closed follows.
    void close();
    /// While lost: tries now instead of at the planned time.
    void retryNow();
    void setPassword(const QString& user, const QString& password);
    void setSentinelPassword(const QString& user, const QString& password);
    /// Where the cluster can be asked for besides the addresses of the URL, which may be down.
    void setKnownNodes(std::vector<ServerUrl> nodes) { m_known = std::move(nodes); }
    void setWriteMode(bool on);

    /// Which master has which slots. Empty: it is no cluster, or one of its nodes is looked at
    /// alone, or this user may not ask.
    const std::optional<ClusterMap>& map() const { return m_map; }
    /// Grows each time the map is another.
    quint64 mapVersion() const { return m_mapVersion; }
    /// Asks for the map anew: whoever scanned wants to know whether slots have moved meanwhile. The
    /// handler is called once, as by send(), also if nothing was told.
    void refreshMap(QObject* context, std::function<void()> handler);
    /// Those that hold the data, in the map's order: one, or a cluster's masters with slots and
    /// those that are given their first. Before it is ready, what is known so far.
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

    /// As send() and sendActing(); what has no key goes to that node.
    void sendFrom(NodeLink& home, const std::vector<Command>& commands, QObject* context,
                  BatchHandler handler);
    void sendActingFrom(NodeLink& home, const std::vector<Command>& commands, QObject* context,
                        BatchHandler handler);

signals:
    /// Other nodes than before hold the data.
    void nodesChanged();
    /// Slots have moved, or a node has come or gone, or does not answer, or answers again.
    void mapChanged();

private:
    struct Batch;
    using BatchPtr = std::shared_ptr<Batch>;
    using NodeMaps = std::vector<std::pair<NodeLink*, ClusterMap>>; ///< by whom
    struct Redirect
    {
        size_t index = 0;
        NodeLink* to = nullptr; ///< null: it is asked for again later, where the map then says
        bool ask = false;       ///< only this once, with ASKING before it
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
    void requestRanges(const std::vector<NodeLink*>& asked, bool shards);
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
    SentinelWatch* m_sentinels = nullptr; ///< a child; null where it is no Sentinel group
    std::vector<NodeLink*> m_nodes;       ///< children
    std::vector<NodeLink*> m_former;      ///< children that have left
    NodeLink* m_home = nullptr;           ///< what has no key goes to it
    std::optional<ClusterMap> m_map;
    std::vector<NodeLink*> m_owners; ///< by slot; empty: no cluster
    quint64 m_mapVersion = 0;
    QSet<QByteArray> m_importing; ///< masters that are given their first slot: ids, or addresses
    std::optional<bool> m_prefersNames; ///< see ClusterMap::prefersNames()
    std::vector<std::pair<QPointer<QObject>, std::function<void()>>> m_waiting; ///< for the map
    QTimer m_refresh;
    QElapsedTimer m_sinceRequest;   ///< for the map
    std::vector<ServerUrl> m_known; ///< see setKnownNodes()
    size_t m_entry = 0;             ///< of entries(): the one that is tried
    int m_rounds = 0;               ///< over entries() in a row, none of which could be had
    size_t m_tried = 0;             ///< of entries() without success, since it was lost last
    bool m_requesting = false;
    bool m_open = false;
    bool m_writeMode = false;
};

} // namespace lk
