// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/scan/keyspacescan.h"
#include "backend/redis/topology/router.h"

#include <QSet>

namespace lk {

/// Scans the keyspaces of all nodes in parallel. If slots move meanwhile, the nodes that took them
/// are scanned again until no slot moves, so that no migrating key is missed. A key seen twice is
/// counted once. A node that does not answer is reported by name, and the others continue. Lives in
/// the I/O thread.
class DeploymentScan final : public QObject
{
    Q_OBJECT

public:
    using Options = KeyspaceScan::Options;

    DeploymentScan(Router& router, const Classifier& classifier, const Clock& local,
                   Options options, QObject* parent = nullptr);
    ~DeploymentScan() override;

    void setClock(const ServerClock& clock);
    /// Like KeyspaceScan::start(), for all nodes.
    void start();
    void start(std::vector<QByteArray> names);
    void stop();
    void setHeld(bool held);
    void probe(std::vector<QByteArray> names);
    bool isRunning() const { return m_running; }
    bool isEndless() const;
    /// Valid after finished(): the endpoints of nodes whose keys were not all seen, and whether
    /// slots were still moving when the scan stopped following them.
    const std::vector<QString>& nodesDown() const { return m_down; }
    bool slotsKeptMoving() const { return m_slotsKeptMoving; }
    /// Number of names that SCAN returned from that node in this scan or the last one.
    qint64 scannedAt(const QString& endpoint) const { return m_scanned.value(endpoint); }

signals:
    void sliceReady(const std::shared_ptr<lk::ScanSlice>& slice);
    void advanced();
    void finished();
    void failed(const lk::Error& error);

private:
    struct NodeScan
    {
        NodeLink* node;
        std::unique_ptr<KeyspaceScan> scan;
        qint64 expected = 0;
        bool scanning = false;
        bool scanned = false;             ///< scanned since start(), or being scanned
        std::optional<Error> failed = {}; ///< the error of its last scan
    };

    NodeScan& scanOf(NodeLink* node);
    void scanNode(NodeLink* node);
    void onSlice(NodeScan& at, const std::shared_ptr<ScanSlice>& slice);
    void onEnd(NodeScan& at);
    void onFailed(NodeScan& at, const Error& error);
    void onAllEnded();
    void giveUp();
    void finish();
    Options optionsOf(const NodeLink* node);

    Router& m_router;
    const Classifier& m_classifier;
    const Clock& m_local;
    Options m_options;
    ServerClock m_clock;
    std::vector<std::unique_ptr<NodeScan>> m_scans; ///< includes nodes that have left
    std::optional<ClusterMap> m_scannedBy;          ///< the slots of each node when the scan began
    QSet<size_t> m_seen; ///< cluster only: hashes of the names of this scan
    QHash<QString, qint64> m_scanned;
    std::vector<QString> m_down;
    std::optional<Error> m_error; ///< error of the last node that failed
    int m_rescans = 0;            ///< number of repeated scans of nodes
    quint64 m_run = 0;
    bool m_running = false;
    bool m_held = false;
    bool m_slotsKeptMoving = false;
};

} // namespace lk
