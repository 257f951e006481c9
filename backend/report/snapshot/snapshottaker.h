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

/// The keys that a snapshot reads, besides those declared by their plain names. Empty for all keys.
struct SnapshotScope
{
    /// Reads only these keys, and those that their primitives name. Nothing is scanned.
    std::vector<QByteArray> names;
    QByteArray match;                                   ///< a glob that SCAN filters by
    std::function<bool(const QByteArray& name)> wanted; ///< filters SCAN's keys; may be empty
    std::function<void(const Probe&)> probed; ///< called for each key that was read; may be empty
    qint64 mostKeys = 0;  ///< stops the scan after about so many keys; 0: no limit
    qint64 mostBytes = 0; ///< stops the scan at so many resident bytes of this process; 0: no limit
    /// Empty: as fast as the server answers, but in short slices while it serves other clients.
    std::optional<ScanPace> pace = {};
    /// The time limit for a TLS connection. A plain port never answers, and only the connection can
    /// report why. 0: the usual limit.
    int tlsTimeoutMs = 0;
};

/// Takes a snapshot of a whole server, without a window: connects, scans the keyspace, reads every
/// primitive once, closes. Runs in the event loop of the thread that created it.
class SnapshotTaker final : public QObject
{
    Q_OBJECT

public:
    SnapshotTaker(const ServerUrl& url, const Config& config, const Clock& clock,
                  SnapshotScope scope = {});
    ~SnapshotTaker() override;

    /// Sets the time without progress after which it fails with Timeout. Progress is a complete
    /// reply to a new request; parts of a reply are none. 0: no limit. Default: 60 s.
    void setTimeout(int ms) { m_timeout.setInterval(ms); }

    /// Sets the source for the ages of items in processing; without it they are not known. It must
    /// outlive this object.
    void setFirstSeen(FirstSeen* firstSeen) { m_firstSeen = firstSeen; }
    static constexpr size_t usualFindings = 64 * 1024;
    /// Leaves the states out of the finished snapshot; they are in states(), packed. If single
    /// states have more than mostFindings findings, these are only in states(), too.
    void setPacked(size_t mostFindings = usualFindings);
    /// Sets the order of states(). ByKind suffices for writeText(), which shows few of them.
    void setOrder(PackedStates::Order order) { m_order = order; }
    /// The states, in order once finished() was emitted. Never null.
    std::shared_ptr<const StateSequence> states() const { return m_states; }
    /// Lets it wait for a master instead of failing, as long as it has not begun to read and within
    /// the usual timeout.
    void setPatient() { m_patient = true; }
    /// True if a server answered: a later failure is one in the middle.
    bool hasBegun() const { return m_greeted; }
    void start();

signals:
    void finished(const std::shared_ptr<const lk::Snapshot>& snapshot);
    void failed(const lk::Error& error);
    /// expected: the number of keys that the server reports; 0 if not known.
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
    NodePoll m_nodes; ///< also reads the replicas of a single master
    const SnapshotScope m_scope;
    Discovery m_discovery;
    DeploymentScan m_scan;
    ServerClock m_serverClock;
    Snapshot m_snapshot;
    std::shared_ptr<PackedStates> m_states = std::make_shared<PackedStates>(PackedStates::never);
    bool m_packed = false;
    PackedStates::Order m_order = PackedStates::Order::Whole;
    std::vector<Handle> m_unread; ///< their probes are not answered yet
    QString m_endpoint;
    qint64 m_connections = 0; ///< the server's clients, as INFO reports
    QSet<QByteArray> m_asked; ///< the names that were requested
    MissingTally m_missing;
    ClusterCoverage m_coverage;
    QTimer m_timeout;
    std::optional<Error> m_skippedFor; ///< the first error that prevented reading a key
    qint64 m_startedMs = 0;
    FollowedTable m_followed;
    OversizedReads m_oversized{m_followed, OversizedReplies::mostOfAScan};
    bool m_enough = false; ///< the scan was stopped by the scope
    bool m_greeted = false;
    bool m_isShort = false; ///< so few keys that other clients hardly notice
    bool m_patient = false;
    bool m_resume = false; ///< continue reading when the connection is back
    bool m_done = false;
};

} // namespace lk
