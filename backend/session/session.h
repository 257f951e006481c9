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

/// One connection's life as the widgets see it: values that arrive, requests that go out. Lives in
/// the GUI thread; owns a Monitor in the I/O thread, a BoardSorter, a PrimitiveSearch and a
/// FindingTracker in the worker thread and ends them when it is destroyed. Never blocks.
///
/// One in the past has a source of recorded states instead of the Monitor: all that shows values
/// shows them as of then, and nothing can be done to the server.
class Session final : public QObject
{
    Q_OBJECT

public:
    /// What a session starts with. What is not owned outlives it.
    struct Setup
    {
        ServerUrl url;
        Config config;
        QString configFile;      ///< where that came from, and where a person may add to it
        QString name;            ///< what the server is called; empty: its endpoint
        QString environment;     ///< "production", "staging", ...; empty: none
        QString firstSeenPath;   ///< the file for first-seen records; empty: they are not kept
        ActionFiles actionFiles; ///< empty: the session stays read-only. With a thread
        QString alertFile;       ///< what is kept of alerts; empty: this session raises none
        QThread* alertThread = nullptr;  ///< with alertFile: running; not owned
        QThread* ioThread = nullptr;     ///< running; not owned
        QThread* workerThread = nullptr; ///< running; not owned
        const Clock* clock = nullptr;    ///< not owned; safe in every thread
        MonitorLimits limits;
    };

    explicit Session(Setup setup, QObject* parent = nullptr);
    /// The past of a live one, which outlives it: source tells of the same deployment at another
    /// time. Takes the source, which has no parent and lives in setup.ioThread from now on.
    Session(Setup setup, SessionSource* source, Session& live, QObject* parent = nullptr);
    ~Session() override;

    void start();

    bool isPast() const { return m_live != this; }
    /// Of the same deployment: itself, unless it is in the past.
    Session* live() const { return m_live; }
    /// As it was made, for a session in the past of this one.
    const Setup& setup() const { return m_setup; }
    /// What was recorded of this deployment; null: nothing is known of that. Not owned.
    SessionHistory* history() const;
    void setHistory(SessionHistory* history);

    const ServerUrl& url() const { return m_setup.url; }
    QString name() const { return m_setup.name.isEmpty() ? m_setup.url.endpoint() : m_setup.name; }
    /// Its name and, where that is another, its endpoint; without user or password.
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
    /// Null: this session raises none.
    SessionAlerts* alerts() const { return m_alerts; }
    /// Of one primitive, worst first, without the silenced ones.
    std::vector<LiveFindingPtr> findingsOf(Handle handle) const;
    bool paused() const { return m_paused; }
    int pollingIntervalMs() const { return m_pollingIntervalMs; }
    /// The server's time at this moment, as well as it is known.
    qint64 serverNowMs() const;

    /// Null if there is no such primitive (any more).
    StatePtr state(Handle handle) const { return keptState(handle).state(); }
    KeptState keptState(Handle handle) const
    {
        const KeptState* known = m_states.find(handle);
        return known ? *known : KeptState();
    }

    /// All of them: {handle, state}. Ends with the next delta.
    const HandleTable<KeptState>& states() const { return m_states; }

    /// Pinned by a person: read and recorded even off screen.
    bool isPinned(Handle handle) const { return m_pinned.contains(handle); }
    const QSet<Handle>& pinned() const { return m_pinned; }
    /// Those of them that are known. Looks through all: not for every paint.
    QHash<PrimitiveId, Handle> handlesOf(const QSet<PrimitiveId>& ids) const;
    /// Those that one of these keys belongs to. Looks through all, too.
    std::vector<Handle> handlesWith(const QSet<QByteArray>& keys) const;
    static bool hasOneOf(const Primitive& primitive, const QSet<QByteArray>& keys);

    /// Numbers over time, of moments at which they were read. Every primitive while there are few;
    /// else those that have attention.
    SeriesStore& series() { return m_series; }
    /// A number that has attention and was not read for that long is not known any more.
    qint64 staleAfterMs() const;
    /// What is read now arrives: connected, and not paused.
    bool isLive() const
    {
        return m_status.phase == ConnectionStatus::Phase::Ready && !m_paused && !isPast();
    }
    const HoldLog& holds() const { return m_holds; }
    /// The series over all tokens: pass these for a handle to series().find().
    static constexpr Handle tokenTotals{noHandle.index - 1};
    /// Which series: how many are live, used, never issued, and how many have ended in each way.
    enum TokenTotal {
        TokensLive,
        TokensUsed,
        TokensNeverIssued,
        TokensExpired,
        TokensConsumed,
        TokensRevoked,
        TokensGone
    };
    /// The series of the server itself and of what this console costs it.
    static constexpr Handle serverTotals{noHandle.index - 2};
    enum ServerTotal { ServerCommands, ServerMegabytes, OwnCommands };

    /// Read-only until write mode is turned on, and again when it has ended.
    bool isWriteModeOn() const { return m_writeModeUntilMs > 0; }
    qint64 writeModeUntilMs() const { return m_writeModeUntilMs; } ///< local time; 0: read-only
    /// Masked, unless a person wanted to see that token's code. Hidden again with the end of write
    /// mode.
    Codes codesOf(Handle handle) const
    {
        return m_revealed.contains(handle) ? Codes::Revealed : Codes::Masked;
    }
    /// Whether this session requeues its stuck jobs, and what came of it.
    AutoRequeueStatus autoRequeue(const PrimitiveId& queue) const
    {
        return m_autoRequeues.value(queue);
    }
    /// Null before the first answer; asked for while a queue is selected.
    const WaitingWorkersPtr& waitingWorkers() const { return m_waiting; }
    /// The page last asked for by wantJobs(), or the one before it of the same state while that is
    /// being read. Null before the first answer.
    const JobPagePtr& jobs() const { return m_jobs; }
    /// What the last searchJobs() found so far. Null: there is no search.
    const JobsFoundPtr& jobsFound() const { return m_jobsFound; }
    /// Result of the last countFailures() so far. Null before its first answer.
    const FailuresCountedPtr& failuresCounted() const { return m_failuresCounted; }
    /// The receipts of what a person did last here and can undo, the last step first: all of a run
    /// of several. Empty: nothing. What was undone gives way to what was done before it.
    QByteArrayList lastUndoable() const { return m_undoable.last(); }
    qint64 memoryLimit() const { return m_memoryLimit; } ///< bytes; 0: none
    /// What the server leaves to be done at all, known before a person asks for it.
    const ServerLimits& limits() const { return m_limits; }
    bool canAct() const { return hasJournal() && !isPast(); }
    bool hasJournal() const { return !m_setup.actionFiles.journal.isEmpty(); }

    /// Reads and plans; planned() brings the ticket that this returns. Only reads.
    quint64 plan(PlanRequest request);
    quint64 planAction(const QByteArray& action, std::vector<PlanRequest::Target> targets,
                       const ActionRequest& request);
    /// Reads these at once, however lately they were read; refreshed() brings the ticket.
    quint64 refresh(const std::vector<PrimitivePtr>& primitives);
    /// In this order; what cannot be undone is among the refused, by its receipt.
    quint64 planUndo(const QByteArrayList& receipts);
    /// Runs what was planned under that ticket, or a selection of it, one step after the other:
    /// receiptReady() for each, then runFinished(). Refused steps, as all while read-only, have
    /// their receipt, too. planDropped() instead if these plans are not kept any more.
    void run(quint64 ticket, const QString& reason, const std::vector<size_t>& selection = {});
    /// They are not going to be run; also while they are being made.
    void discardPlans(quint64 ticket);

public slots:
    void enableWriteMode(qint64 forMs);
    void disableWriteMode();
    /// Shows a token's code, in write mode only and journaled: codesChanged(), or revealFailed().
    void revealCode(lk::Handle token);
    void hideCode(lk::Handle token);
    void stopRun(quint64 ticket); ///< after the step under way
    /// Reads the queue for some seconds for whether a worker takes what that step queued:
    /// takenSeen(). Of a step that TakenCheck::applies() to.
    void watchTaken(const lk::Plan& plan, const lk::Receipt& receipt,
                    const lk::PrimitivePtr& queue);
    /// Puts its stuck items back, again and again, until the session is read-only or
    /// stopAutoRequeue().
    void startAutoRequeue(const lk::PrimitivePtr& queue, qint64 olderThanMs);
    void stopAutoRequeue(const lk::PrimitiveId& queue);
    void readJournal(); ///< journalRead() brings it
    /// What is on screen: read on every tick.
    void setAttention(const std::vector<lk::Handle>& visible, lk::Handle selected);
    void setPinned(lk::Handle handle, bool pinned);
    /// The jobs of that queue which are on screen; without a state none are. Ends when another
    /// primitive is selected.
    void wantJobs(lk::Handle handle, const lk::JobQuery& query);
    /// Reads everything of one listed job; jobOpened() brings it. query: the page it stands in.
    void openJob(lk::Handle handle, const lk::JobQuery& query, const lk::QueueJob& job);
    /// Looks for it in the jobs of that state: jobsFoundChanged(). An empty text ends the search.
    void searchJobs(lk::Handle handle, const QByteArray& state, const QString& text);
    void searchMoreJobs(); ///< goes on where the search has stopped
    /// Counts the failed jobs of that queue by error and name: failuresCountedChanged(). Once for
    /// as many as there are, give or take a tenth; noHandle ends it.
    void countFailures(lk::Handle handle);
    /// What a plan on the screen is about: read like what is pinned until others are given.
    void setPlanned(const std::vector<lk::Handle>& handles);
    void setBoard(const lk::BoardQuery& query);
    void setFrozen(bool frozen);
    /// Looks for it in all primitives; searched() brings what was found.
    void search(const QString& text);
    /// Asks the queues for a job of that id; jobsLookedUp() brings it.
    void lookUpJob(const QString& id);
    void setPaused(bool paused);
    void setPollingInterval(int ms);
    void setScanPace(lk::ScanPace pace);
    /// Of this program, beyond which the scan is stopped; 0: none.
    void setMemoryLimit(qint64 bytes);
    void rescan();
    void stopScan(); ///< until rescan()
    void retryNow();
    /// Its configuration file was written to: configEdited() tells who keeps the session.
    void noteConfigEdited() { emit configEdited(); }
    /// All that the groups of servers show that are declared with it: they join its findings.
    void setRedlockFindings(const std::vector<lk::Finding>& findings);
    /// Globs over the names of the locks that these groups hold: a key of that name is a vote.
    void setRedlockNames(const QByteArrayList& globs);
    /// And tries again.
    void setPassword(const QString& user, const QString& password);
    void setSentinelPassword(const QString& user, const QString& password);
    /// What is declared from now on. All else stays: connection, write mode, auto-requeue, recorded
    /// numbers, what can be undone.
    void applyConfig(const lk::Config& config);

signals:
    void statusChanged(const lk::ConnectionStatus& status);
    /// States have changed; they are in place already.
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
    /// The server has become a replica of that one (empty: not known): the session is read-only.
    void demoted(const QString& master);
    /// The session stays read-only: why.
    void writeModeFailed(const lk::Error& error);
    void limitsChanged();
    void codesChanged(); ///< codesOf() answers otherwise
    void revealFailed(const lk::Error& error);
    void planned(const lk::PlanSet& set);
    /// Plans that were shown cannot be run any more: why.
    void planDropped(quint64 ticket, const lk::Error& why);
    void refreshed(quint64 ticket, const lk::FreshStates& states);
    void receiptReady(quint64 ticket, const lk::Receipt& receipt);
    void runFinished(quint64 ticket);
    /// Answers watchTaken(), by the receipt's id: "taken by worker-9 after 0.4 s".
    void takenSeen(const QByteArray& receipt, const QString& text);
    void waitingWorkersChanged();
    void jobsChanged();
    void jobOpened(const lk::OpenedJobPtr& job);
    void jobsFoundChanged();
    void failuresCountedChanged();
    void autoRequeueChanged(const lk::PrimitiveId& queue);
    void journalRead(const lk::JournalPtr& contents);
    void journalFailed(const lk::Error& error);
    /// First-seen records cannot be kept: ages of items begin anew with the next start.
    void firstSeenFailed(const lk::Error& error);
    /// What is declared in the file is another from now on: whoever keeps the session reads it and
    /// calls applyConfig().
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
    /// Has the monitor do it in its own thread; nothing in the past.
    void ask(std::function<void(Monitor&)> question);

    Setup m_setup;
    SessionSource* m_source;           ///< lives in the I/O thread
    Monitor* m_monitor;                ///< the same object; null in the past
    Session* m_live;                   ///< this, but in the past
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
    Handle m_failuresOf = noHandle; ///< whose failed jobs are counted
    qint64 m_failuresTotal = 0;     ///< when that began
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
