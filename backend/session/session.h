// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/executor/actionfiles.h"
#include "backend/acting/journal/journalreader.h"
#include "backend/acting/planning/planset.h"
#include "backend/acting/planning/preflight.h"
#include "backend/acting/undo/undohistory.h"
#include "backend/config/config.h"
#include "backend/core/clock.h"
#include "backend/core/redactedname.h"
#include "backend/discovery/scan/memorylimit.h"
#include "backend/discovery/scan/pace/scanpace.h"
#include "backend/findings/livefindings.h"
#include "backend/history/holdlog.h"
#include "backend/history/seriesstore.h"
#include "backend/polling/freshstates.h"
#include "backend/polling/jobs/jobsbyid.h"
#include "backend/polling/workers/waitingworkers.h"
#include "backend/session/board/summary.h"
#include "backend/session/monitor/monitorlimits.h"
#include "backend/session/monitor/sessionsource.h"
#include "backend/session/search/searchresults.h"

#include <QObject>
#include <QPointer>

#include <functional>

class QThread;

namespace lk {

class BoardSorter;
class FindingTracker;
class Monitor;
class PrimitiveSearch;
class SessionAlerts;
class SessionHistory;

/// One session as the widgets see it: values arrive, requests go out. Lives in the GUI thread. Owns
/// a Monitor in the I/O thread and a BoardSorter, a PrimitiveSearch and a FindingTracker in the
/// worker thread, and ends them when it is destroyed. Never blocks.
///
/// A session in the past has a source of recorded states instead of the Monitor. All widgets show
/// the values of that time, and no action can reach the server.
class Session final : public QObject
{
    Q_OBJECT

public:
    /// The parameters of a session. Objects that it does not own must outlive it.
    struct Setup
    {
        ServerUrl url;
        Config config;
        QString configFile;      ///< the file of config, which the user may edit
        QString name;            ///< the server's display name; empty: its endpoint
        QString environment;     ///< "production", "staging", ...; empty: none
        QString firstSeenPath;   ///< the file for first-seen records; empty: they are not stored
        ActionFiles actionFiles; ///< empty: the session stays read-only; with a thread
        QString alertFile;       ///< the file for alerts; empty: this session raises none
        QThread* alertThread = nullptr;  ///< with alertFile: a running thread; not owned
        QThread* ioThread = nullptr;     ///< running; not owned
        QThread* workerThread = nullptr; ///< running; not owned
        const Clock* clock = nullptr;    ///< not owned; safe in every thread
        MonitorLimits limits;
    };

    explicit Session(Setup setup, QObject* parent = nullptr);
    /// Creates a session in the past of a live one, which must outlive it. source reports the same
    /// deployment at another time. Takes ownership of source, which has no parent and lives in
    /// setup.ioThread from now on.
    Session(Setup setup, SessionSource* source, Session& live, QObject* parent = nullptr);
    ~Session() override;

    void start();

    bool isPast() const { return m_live != this; }
    /// Returns the live session of the same deployment: itself, unless it is in the past.
    Session* live() const { return m_live; }
    /// The parameters, for a session in the past of this one.
    const Setup& setup() const { return m_setup; }
    /// The recorded history of this deployment; null if there is none. Not owned.
    SessionHistory* history() const;
    void setHistory(SessionHistory* history);

    const ServerUrl& url() const { return m_setup.url; }
    QString name() const { return m_setup.name.isEmpty() ? m_setup.url.endpoint() : m_setup.name; }
    /// Its name and, if different, its endpoint; without user or password.
    QString title() const;
    const QString& environment() const { return m_setup.environment; }
    const Config& config() const { return m_setup.config; }
    const QString& configFile() const { return m_setup.configFile; }
    const ConnectionStatus& status() const { return m_status; }
    const MonitorReport& report() const { return m_report; }
    const ServerInfo& info() const { return m_info; }
    const SummaryPtr& summary() const { return m_summary; }        ///< null before the first
    const LiveFindingsPtr& findings() const { return m_findings; } ///< null before the first
    const PossiblePtr& possible() const { return m_possible; }     ///< never null
    /// Null if this session raises no alerts.
    SessionAlerts* alerts() const { return m_alerts; }
    /// Returns the findings of one primitive, worst first, without the silenced ones.
    std::vector<LiveFindingPtr> findingsOf(Handle handle) const;
    bool paused() const { return m_paused; }
    int pollingIntervalMs() const { return m_pollingIntervalMs; }
    /// The server's current time, as accurately as it is known.
    qint64 serverNowMs() const;

    /// Returns the state; null if there is no such primitive (any more).
    StatePtr state(Handle handle) const { return keptState(handle).state(); }
    KeptState keptState(Handle handle) const
    {
        const KeptState* known = m_states.find(handle);
        return known ? *known : KeptState();
    }

    /// All states as {handle, state}. Valid until the next delta.
    const HandleTable<KeptState>& states() const { return m_states; }

    /// True if the user pinned it: it is read and recorded even off screen.
    bool isPinned(Handle handle) const { return m_pinned.contains(handle); }
    const QSet<Handle>& pinned() const { return m_pinned; }
    /// Returns the handles of the known ones among these. Searches all primitives: do not call it
    /// for every paint.
    QHash<PrimitiveId, Handle> handlesOf(const QSet<PrimitiveId>& ids) const;
    /// Returns the primitives that have one of these keys. Searches all primitives, too.
    std::vector<Handle> handlesWith(const QSet<QByteArray>& keys) const;
    static bool hasOneOf(const Primitive& primitive, const QSet<QByteArray>& keys);

    /// Numbers over time, one for each read. Kept for every primitive while there are few, else for
    /// those that have attention.
    SeriesStore& series() { return m_series; }
    /// How long a number that has attention stays valid without being read.
    qint64 staleAfterMs() const;
    /// True if new values arrive: connected, not paused, and not in the past.
    bool isLive() const
    {
        return m_status.phase == ConnectionStatus::Phase::Ready && !m_paused && !isPast();
    }
    const HoldLog& holds() const { return m_holds; }
    /// The series over all tokens: pass these for a handle to series().find().
    static constexpr Handle tokenTotals{noHandle.index - 1};
    /// The series: how many are live, used, never issued, and how many have ended in each way.
    enum TokenTotal {
        TokensLive,
        TokensUsed,
        TokensNeverIssued,
        TokensExpired,
        TokensConsumed,
        TokensRevoked,
        TokensGone
    };
    /// The series of the server itself and of this console's load on it.
    static constexpr Handle serverTotals{noHandle.index - 2};
    enum ServerTotal { ServerCommands, ServerMegabytes, OwnCommands };

    /// Read-only until write mode is turned on, and again when it has ended.
    bool isWriteModeOn() const { return m_writeModeUntilMs > 0; }
    qint64 writeModeUntilMs() const { return m_writeModeUntilMs; } ///< local time; 0: read-only
    /// Masked, unless the user revealed that token's code. Masked again when write mode ends.
    Codes codesOf(Handle handle) const
    {
        return m_revealed.contains(handle) ? Codes::Revealed : Codes::Masked;
    }
    /// Whether this session requeues the queue's stuck jobs, and with which result.
    AutoRequeueStatus autoRequeue(const PrimitiveId& queue) const
    {
        return m_autoRequeues.value(queue);
    }
    /// Null before the first answer. Requested while a queue is selected.
    const WaitingWorkersPtr& waitingWorkers() const { return m_waiting; }
    /// The page last requested by wantJobs(), or the previous page of the same state while that one
    /// is being read. Null before the first answer.
    const JobPagePtr& jobs() const { return m_jobs; }
    /// The result of the last searchJobs() so far. Null if there is no search.
    const JobsFoundPtr& jobsFound() const { return m_jobsFound; }
    /// The result of the last countFailures() so far. Null before its first answer.
    const FailuresCountedPtr& failuresCounted() const { return m_failuresCounted; }
    /// The receipts of the user's last action here that can be undone, the last step first.
    /// Contains all steps of a run. Empty if there is none. After an undo, the action before it
    /// follows.
    QByteArrayList lastUndoable() const { return m_undoable.last(); }
    qint64 memoryLimit() const { return m_memoryLimit; } ///< bytes; 0: none
    /// Which actions the server allows at all, known before the user asks for one.
    const ServerLimits& limits() const { return m_limits; }
    bool canAct() const { return hasJournal() && !isPast(); }
    bool hasJournal() const { return !m_setup.actionFiles.journal.isEmpty(); }

    /// Plans an action and returns a ticket, with which planned() is emitted. Only reads.
    quint64 plan(PlanRequest request);
    quint64 planAction(const QByteArray& action, std::vector<PlanRequest::Target> targets,
                       const ActionRequest& request);
    /// Reads these at once, however recently they were read, and returns the ticket for
    /// refreshed().
    quint64 refresh(const std::vector<PrimitivePtr>& primitives);
    /// Plans the undo of these receipts, in this order. Receipts that cannot be undone are among
    /// the refused, by their id.
    quint64 planUndo(const QByteArrayList& receipts);
    /// Runs the plans of that ticket, or a selection of them, one step after the other. Emits
    /// receiptReady() for each, then runFinished(). A refused step has a receipt, too, as has every
    /// step while read-only. Emits planDropped() instead if the plans are no longer stored.
    void run(quint64 ticket, const QString& reason, const std::vector<size_t>& selection = {});
    /// Discards plans that will not run, also while they are being made.
    void discardPlans(quint64 ticket);

public slots:
    void enableWriteMode(qint64 forMs);
    void disableWriteMode();
    /// Reveals a token's code, in write mode only and journaled. Emits codesChanged() or
    /// revealFailed().
    void revealCode(lk::Handle token);
    void hideCode(lk::Handle token);
    void stopRun(quint64 ticket); ///< after the step under way
    /// Watches the queue for some seconds to see whether a worker takes the item that the step
    /// queued. Emits takenSeen(). Only for a step to which TakenCheck::applies().
    void watchTaken(const lk::Plan& plan, const lk::Receipt& receipt,
                    const lk::PrimitivePtr& queue);
    /// Requeues its stuck items repeatedly, until the session is read-only or stopAutoRequeue() is
    /// called.
    void startAutoRequeue(const lk::PrimitivePtr& queue, qint64 olderThanMs);
    void stopAutoRequeue(const lk::PrimitiveId& queue);
    void readJournal(); ///< reads the journal; journalRead() returns it
    /// Sets the primitives on screen, which are read at every polling interval.
    void setAttention(const std::vector<lk::Handle>& visible, lk::Handle selected);
    void setPinned(lk::Handle handle, bool pinned);
    /// Requests the jobs of that queue that are on screen; none without a state. Ends when another
    /// primitive is selected.
    void wantJobs(lk::Handle handle, const lk::JobQuery& query);
    /// Reads all details of one listed job; jobOpened() returns them. query: the page that lists
    /// it.
    void openJob(lk::Handle handle, const lk::JobQuery& query, const lk::QueueJob& job);
    /// Searches the jobs of that state; emits jobsFoundChanged(). An empty text ends the search.
    void searchJobs(lk::Handle handle, const QByteArray& state, const QString& text);
    void searchMoreJobs(); ///< continues a search that has stopped
    /// Counts the failed jobs of that queue by error and name; emits failuresCountedChanged().
    /// Counts again only if their number has changed by more than a tenth; noHandle ends it.
    void countFailures(lk::Handle handle);
    /// Sets the primitives of a plan on screen. They are read like pinned ones until others are
    /// set.
    void setPlanned(const std::vector<lk::Handle>& handles);
    void setBoard(const lk::BoardQuery& query);
    void setFrozen(bool frozen);
    /// Searches all primitives; searched() returns the result.
    void search(const QString& text);
    /// Searches the queues for a job of that id; jobsLookedUp() returns the result.
    void lookUpJob(const QString& id);
    void setPaused(bool paused);
    void setPollingInterval(int ms);
    void setScanPace(lk::ScanPace pace);
    /// Sets the memory of this program above which the scan stops; 0: no limit.
    void setMemoryLimit(qint64 bytes);
    void rescan();
    void stopScan(); ///< until rescan()
    void retryNow();
    /// Emits configEdited() after its configuration file was written.
    void noteConfigEdited() { emit configEdited(); }
    /// Sets the findings of the server groups that are declared with the session. They join its own
    /// findings.
    void setRedlockFindings(const std::vector<lk::Finding>& findings);
    /// Sets globs over the names of these groups' locks: a key of such a name is a vote.
    void setRedlockNames(const QByteArrayList& globs);
    /// Sets the login and reconnects.
    void setPassword(const QString& user, const QString& password);
    void setSentinelPassword(const QString& user, const QString& password);
    /// Applies new declarations. Keeps everything else: connection, write mode, auto-requeue,
    /// recorded numbers, undo history.
    void applyConfig(const lk::Config& config);

signals:
    void statusChanged(const lk::ConnectionStatus& status);
    /// States have changed. states() contains them already.
    void changed(const lk::DeltaPtr& delta);
    void reported(const lk::MonitorReport& report);
    void infoChanged(const lk::ServerInfo& info);
    void summaryChanged(const lk::SummaryPtr& summary);
    void sorted(const lk::BoardRows& rows);
    void searched(const lk::SearchResultsPtr& results);
    void jobsLookedUp(const lk::JobsByIdPtr& jobs);
    void findingsChanged(const lk::LiveFindingsPtr& findings);
    void possibleChanged();
    void pausedChanged(bool paused);
    void pinnedChanged();
    void writeModeChanged();
    /// The server has become a replica of that master (empty: not known). The session is read-only.
    void demoted(const QString& master);
    /// The session stays read-only for this reason.
    void writeModeFailed(const lk::Error& error);
    void limitsChanged();
    void codesChanged(); ///< codesOf() has changed
    void revealFailed(const lk::Error& error);
    void planned(const lk::PlanSet& set);
    /// The displayed plans can no longer run for this reason.
    void planDropped(quint64 ticket, const lk::Error& why);
    void refreshed(quint64 ticket, const lk::FreshStates& states);
    void receiptReady(quint64 ticket, const lk::Receipt& receipt);
    void runFinished(quint64 ticket);
    /// Result of watchTaken(), by the receipt's id: "taken by worker-9 after 0.4 s".
    void takenSeen(const QByteArray& receipt, const QString& text);
    void waitingWorkersChanged();
    void jobsChanged();
    void jobOpened(const lk::OpenedJobPtr& job);
    void jobsFoundChanged();
    void failuresCountedChanged();
    void autoRequeueChanged(const lk::PrimitiveId& queue);
    void journalRead(const lk::JournalPtr& contents);
    void journalFailed(const lk::Error& error);
    /// First-seen records cannot be stored. The ages of items begin anew at the next start.
    void firstSeenFailed(const lk::Error& error);
    /// The declarations in the file have changed. The owner of the session reads the file and calls
    /// applyConfig().
    void configEdited();
    void historyChanged();

private:
    Session(Setup setup, SessionSource* source, Monitor* monitor, Session* live, QObject* parent);
    void onCodeRevealed(const PrimitiveId& token);
    void connectExecutor();
    void connectMonitor();
    void connectSource();
    void keepFirstSeen();
    void connectJobs();
    void onStatus(const ConnectionStatus& status);
    void onDelta(const DeltaPtr& delta);
    void onSummary(const SummaryPtr& summary);
    void onInfo(const ServerInfo& info);
    void record(Handle handle, const State& state);
    void recordTotals();
    void gapAll();
    void forget(Handle handle);
    qint64 silenceMs() const;
    void sendPinned();
    /// Runs the question in the monitor's thread. Does nothing in the past.
    void ask(std::function<void(Monitor&)> question);

    Setup m_setup;
    SessionSource* m_source;           ///< lives in the I/O thread
    Monitor* m_monitor;                ///< the same object; null in the past
    Session* m_live;                   ///< this, unless in the past
    BoardSorter* m_sorter;             ///< lives in the worker thread
    PrimitiveSearch* m_search;         ///< lives in the worker thread
    FindingTracker* m_findingTracker;  ///< lives in the worker thread
    JournalReader* m_journal;          ///< lives in the worker thread
    QObject* m_store = nullptr;        ///< lives in the worker thread; may be null
    SessionAlerts* m_alerts = nullptr; ///< a child; may be null
    ConnectionStatus m_status;
    MonitorReport m_report;
    ServerInfo m_info;
    SummaryPtr m_summary;
    LiveFindingsPtr m_findings;
    PossiblePtr m_possible = std::make_shared<PossiblePrimitives>();
    HandleTable<KeptState> m_states;
    std::vector<Handle> m_visible;
    Handle m_selected = noHandle;
    QSet<Handle> m_pinned;
    QSet<Handle> m_revealed;
    QSet<Handle> m_planned;
    UndoHistory m_undoable;
    SeriesStore m_series;
    HoldLog m_holds;
    ServerLimits m_limits;
    QHash<PrimitiveId, AutoRequeueStatus> m_autoRequeues;
    WaitingWorkersPtr m_waiting;
    JobPagePtr m_jobs;
    JobsFoundPtr m_jobsFound;
    Handle m_failuresOf = noHandle; ///< the queue whose failed jobs are counted
    qint64 m_failuresTotal = 0;     ///< their number when the count began
    FailuresCountedPtr m_failuresCounted;
    std::pair<Handle, JobQuery> m_jobsWanted{noHandle, JobQuery()};
    qint64 m_present = 0;        ///< states that are not null
    QPointer<QObject> m_history; ///< a SessionHistory
    int m_pollingIntervalMs;
    qint64 m_memoryLimit = MemoryLimit::ofMachine().bytes();
    bool m_paused = false;
    qint64 m_writeModeUntilMs = 0;
    quint64 m_lastTicket = 0;
};

} // namespace lk
