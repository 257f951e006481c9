// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/autorequeue/autorequeues.h"
#include "backend/acting/executor/actionexecutor.h"
#include "backend/acting/owntokenends.h"
#include "backend/discovery/coveragewatch.h"
#include "backend/discovery/feed/deploymentfeed.h"
#include "backend/discovery/scan/backgroundscan.h"
#include "backend/polling/costmeter.h"
#include "backend/polling/derived/firstseen.h"
#include "backend/polling/followed.h"
#include "backend/polling/jobs/failurecount.h"
#include "backend/polling/jobs/joblisting.h"
#include "backend/polling/jobs/joblookup.h"
#include "backend/polling/jobs/jobsearch.h"
#include "backend/polling/nodepoll.h"
#include "backend/polling/pendingchanges.h"
#include "backend/polling/schedule/oversizedreads.h"
#include "backend/polling/schedule/payloadpace.h"
#include "backend/polling/schedule/pollqueue.h"
#include "backend/polling/schedule/readbudget.h"
#include "backend/polling/schedule/roundrobinrefresh.h"
#include "backend/polling/serverpoll.h"
#include "backend/polling/slotpoll.h"
#include "backend/polling/tombstones.h"
#include "backend/polling/workers/waitingpoll.h"
#include "backend/polling/workers/workerpoll.h"
#include "backend/session/monitor/sessionsource.h"

#include "backend/core/workpace.h"
#include "backend/session/monitor/earlierfacts.h"
#include "backend/session/monitor/monitorlimits.h"

#include <QObject>
#include <QTimer>

namespace lk {

/// Monitors one deployment: discovers and polls primitives, follows the change feed, publishes
/// changes. Lives in the I/O thread with its sockets. Every public slot is called through the event
/// loop.
///
/// Publishes one delta at a time. The next one waits until consumed() reports that the window has
/// processed the last. It grows no larger than the number of primitives.
class Monitor final : public SessionSource
{
    Q_OBJECT

public:
    Monitor(const ServerUrl& url, const Config& config, const Clock& clock, MonitorLimits limits,
            ActionFiles files = {});
    ~Monitor() override;

    /// Lives in the I/O thread like this object: connect to it, and call it through the event loop.
    ActionExecutor& executor() { return m_executor; }
    AutoRequeues& autoRequeues() { return m_autoRequeues; }
    BackgroundScan& scan() { return m_scan; }
    JobListing& jobs() { return m_jobs; }
    JobSearch& jobSearch() { return m_jobSearch; }
    FailureCount& failureCount() { return m_failureCount; }
    /// See SessionActing::watchTaken(); takenSeen() returns the result.
    void watchTaken(const Plan& plan, const Receipt& receipt, const PrimitivePtr& queue);
    JobLookup& jobLookup() { return m_jobLookup; }

public slots:
    void start() override;
    void stop() override;
    void consumed() override;
    void setAttention(const std::vector<lk::Handle>& visible, lk::Handle selected);
    /// These are read at every polling interval, whatever the window shows. Bounded like the
    /// primitives on screen.
    void setPinned(const std::vector<lk::Handle>& pinned);
    void setPaused(bool paused);
    void setPollingInterval(int ms);
    void rescan();
    /// Applies new declarations. Reclassifies only the primitives that they concern.
    void setConfig(const lk::Config& config);
    /// Sets globs over the names of locks that several servers hold together. Their keys on this
    /// server are votes.
    void setRedlocks(const QByteArrayList& globs);
    void retryNow();
    /// Sets the login and reconnects, since a refused login is not retried automatically.
    void setPassword(const QString& user, const QString& password);
    void setSentinelPassword(const QString& user, const QString& password);
    void restoreFirstSeen(const std::vector<lk::FirstSeenRecord>& firstSeen);
    void restoreHolds(const std::vector<lk::RecordedHold>& holds);
    /// Restores the ages of all states. Call it after restoreHolds().
    void restoreAges(const lk::RecordedAges& ages);

signals:
    /// The master has become a replica of that one; empty if not known. Write mode has ended.
    void demoted(const QString& master);
    void waitingReady(const lk::WaitingWorkersPtr& waiting);
    void firstSeenChanged(const std::vector<lk::FirstSeenRecord>& firstSeen);
    void takenSeen(const QByteArray& receipt, const QString& text);

private:
    void onControlStatus(const ConnectionStatus& status);
    void onReady();
    void afterOutage();
    void markAll();
    void retryGivenUp();
    bool isFed(const Primitive& primitive) const;
    RoundRobinRefresh::Fed fedOnes() const;
    void tick();
    void pacePayloads(std::vector<ReadRequest>& requests, qint64 nowMs);
    void read(std::vector<ReadRequest> requests);
    void onRound(ReadRound round);
    void onReadFailed(std::vector<ReadRequest> requests, const Error& error);
    void keep(ReadOutcome outcome);
    void markVote(State& state) const;
    bool arePacked() const;
    void drop(Handle handle);
    void onDiscovered(const Discovery::Found& found);
    void onFeedBegan();
    void onKeysChanged(const QList<QByteArray>& keys);
    void refreshPrefixes();
    void readInterrupted();
    void everySecond();
    void onInfo(const ServerInfo& info, const Reply& time, qint64 sentMs);
    void setServerClock(const ServerClock& clock);
    void publish();
    TrafficCounts totals() const;
    ScanCounts scanCounts() const;

    const Clock& m_clock;
    MonitorLimits m_limits;
    // All QObjects below are children: they move to the I/O thread with their parent.
    Router m_control; ///< polls and plans, never blocked by a scan; it cannot write
    Discovery m_discovery;
    BackgroundScan m_scan;
    CoverageWatch m_coverage;
    ServerPoll m_server;
    NodePoll m_nodes;
    SlotPoll m_slots;
    DeploymentFeed m_feed;
    FollowedTable m_followed; ///< all data about a primitive; the members below order it
    PollQueue m_queue;
    RoundRobinRefresh m_refresh;
    FirstSeen m_firstSeen;
    EarlierFacts m_earlier;
    ActionExecutor m_executor;
    OwnTokenEnds m_ownEnds;
    QByteArrayList m_redlocks; ///< see setRedlocks()
    AutoRequeues m_autoRequeues;
    WaitingPoll m_waiting;
    WorkerPoll m_workers;
    PayloadPace m_payloads;
    JobListing m_jobs;
    JobSearch m_jobSearch;
    FailureCount m_failureCount;
    JobLookup m_jobLookup;
    CostMeter m_cost;
    ServerClock m_serverClock;
    NodeRole m_role = NodeRole::Unknown; ///< the last reported role
    bool m_evictsByUse = false;
    QTimer m_tick;
    QTimer m_second;

    PendingChanges m_changes; ///< since the last delta
    Tombstones m_tombstones;
    OversizedReads m_oversized;
    ReadBudget m_budget{double(m_limits.otherCommandsPerSecond)};
    qint64 m_lastTickMs = 0;
    int m_roundsUnderWay = 0;
    int m_seconds = 0;
    ErrorCode m_lostBy = ErrorCode::Cancelled;
    bool m_consumed = true;
    bool m_paused = false;
    bool m_prefixesStale = false; ///< these three: the feed's subscriptions
    bool m_hasDropped = false;    ///< since the last complete scan: fewer may be enough
    WorkPace m_prefixPace;        ///< goes through all names
    PossiblePtr m_possible;       ///< last published
    bool m_scanChanged = false;   ///< since the last delta
};

} // namespace lk
