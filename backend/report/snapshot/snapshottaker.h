// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/config/config.h"
#include "backend/discovery/clustercoverage.h"
#include "backend/discovery/scan/deploymentscan.h"
#include "backend/discovery/scan/discovery.h"
#include "backend/polling/derived/firstseen.h"
#include "backend/polling/nodepoll.h"
#include "backend/polling/reader.h"
#include "backend/polling/schedule/oversizedreads.h"
#include "backend/report/snapshot/gatheredfindings.h"
#include "backend/report/snapshot/packedstates.h"

#include <QObject>
#include <QSet>
#include <QTimer>

namespace lk {

/// What a snapshot looks at, besides what was declared by its plain name. Empty: every key.
struct SnapshotScope
{
    /// These keys alone, and those that their primitives name: nothing is scanned.
    std::vector<QByteArray> names;
    QByteArray match;                                   ///< a glob that SCAN filters by
    std::function<bool(const QByteArray& name)> wanted; ///< of what SCAN brings; may be empty
    std::function<void(const Probe&)> probed; ///< told of each key that was read; may be empty
    qint64 mostKeys = 0;  ///< the scan is stopped after about so many; 0: none are too many
    qint64 mostBytes = 0; ///< and once this program has so many resident; 0: the same
    /// Empty: as fast as the server answers; in short slices while it answers others, too.
    std::optional<ScanPace> pace = {};
    /// A TLS connection is made by then: a plain port never answers, and only the connection knows
    /// why. 0: as long as any other.
    int tlsTimeoutMs = 0;
};

/// Takes a snapshot of a whole server, without a window: connects, scans the keyspace, reads every
/// primitive once, closes. Works in the thread it was made in, by its event loop.
class SnapshotTaker final : public QObject
{
    Q_OBJECT

public:
    SnapshotTaker(const ServerUrl& url, const Config& config, const Clock& clock,
                  SnapshotScope scope = {});
    ~SnapshotTaker() override;

    /// It fails with Timeout after so long without progress: a whole answer to something new.
    /// However slowly replies trickle, alone they are none. 0: no limit; 60 s unless set.
    void setTimeout(int ms) { m_timeout.setInterval(ms); }

    /// By which items in processing are aged; without it their ages are not known. Outlives this.
    void setFirstSeen(FirstSeen* firstSeen) { m_firstSeen = firstSeen; }
    static constexpr size_t usualFindings = 64 * 1024;
    /// The snapshot that it finishes with has no states: they are in states(), and weigh little. If
    /// states show more findings than that, none of these is in it either: states() has them.
    void setPacked(size_t mostFindings = usualFindings);
    /// Of states(): by kind alone is enough for writeText(), which shows few of them.
    void setOrder(PackedStates::Order order) { m_order = order; }
    /// In order, once finished() was emitted. Never null.
    std::shared_ptr<const StateSequence> states() const { return m_states; }
    /// Before it has begun to read it waits for a master instead of failing, for as long as for
    /// anything else.
    void setPatient() { m_patient = true; }
    /// Somebody answered: what failed then failed in the middle.
    bool hasBegun() const { return m_greeted; }
    void start();

signals:
    void finished(const std::shared_ptr<const lk::Snapshot>& snapshot);
    void failed(const lk::Error& error);
    /// expected: keys that the server says it has; 0: not known.
    void progressed(qint64 scanned, qint64 expected);

private:
    void advance();
    KeyspaceScan::Options scanOptions();
    void startScan(const ServerInfo& info, std::span<const Reply> clusterReplies);
    void onScanned();
    void onStatus(const ConnectionStatus& status);
    void onGreeting(const std::vector<Reply>& replies);
    void onScanFailed(const Error& error);
    void onSlice(ScanSlice& slice);
    void readRest();
    void onRound(ReadRound round);
    void onRoundFailed(const std::vector<ReadRequest>& requests, const Error& error);
    bool isEnough() const;
    void keep(ReadOutcome outcome);
    void readWorkers();
    void collect();
    void finish();
    void fail(const Error& error);

    const Clock& m_clock;
    GatheredFindings m_findings;
    FirstSeen* m_firstSeen = nullptr;
    Router m_router;
    NodePoll m_nodes; ///< and of a master alone its replicas
    const SnapshotScope m_scope;
    Discovery m_discovery;
    DeploymentScan m_scan;
    ServerClock m_serverClock;
    Snapshot m_snapshot;
    std::shared_ptr<PackedStates> m_states = std::make_shared<PackedStates>(PackedStates::never);
    bool m_packed = false;
    PackedStates::Order m_order = PackedStates::Order::Whole;
    std::vector<Handle> m_unread; ///< not yet answered by their probes
    QString m_endpoint;
    qint64 m_connections = 0; ///< that the server has, as far as INFO tells
    QSet<QByteArray> m_asked; ///< of names: those that were
    MissingTally m_missing;
    ClusterCoverage m_coverage;
    QTimer m_timeout;
    std::optional<Error> m_skippedFor; ///< the first thing that kept a key from being read
    qint64 m_startedMs = 0;
    FollowedTable m_followed;
    OversizedReads m_oversized{m_followed, OversizedReplies::mostOfAScan};
    bool m_enough = false; ///< the scan was stopped by the scope
    bool m_greeted = false;
    bool m_isShort = false; ///< so few keys that others hardly notice
    bool m_patient = false;
    bool m_resume = false; ///< go on reading once the connection is back
    bool m_done = false;
};

} // namespace lk
