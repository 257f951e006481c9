// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/execution/runner.h"
#include "backend/acting/executor/actionfiles.h"
#include "backend/acting/planning/keptplans.h"
#include "backend/acting/planning/nodewait.h"
#include "backend/acting/planning/planner.h"
#include "backend/acting/planning/planset.h"
#include "backend/polling/freshstates.h"
#include "backend/redis/server/serverinfo.h"
#include "backend/redis/topology/router.h"

#include <QObject>
#include <QTimer>

#include <deque>

namespace lk {

/// Plans and runs the actions of a session in write mode. Plans on the control connection, which
/// only reads, and keeps the plans. Runs the confirmed ones on a connection of its own, one step at
/// a time and paced, to limit the server's load. That connection exists while write mode is on: for
/// a limited time, and no longer than both connections last. Lives in the I/O thread.
class ActionExecutor final : public QObject
{
    Q_OBJECT

public:
    ActionExecutor(Link& control, FirstSeen& firstSeen, const Clock& clock, ActionFiles files,
                   QObject* parent);

    void setClock(const ServerClock& clock) { m_serverClock = clock; }
    /// Sets the server's current INFO: its role may have changed.
    void setInfo(const ServerInfo& info);
    void setPassword(const QString& user, const QString& password);
    void setSentinelPassword(const QString& user, const QString& password);
    /// Connects to act. Emits writeModeUntilChanged() or writeModeFailed().
    void enableWriteMode(qint64 forMs);
    void disableWriteMode();
    /// Emits planned() with the plans. They are kept under their ticket until they are run,
    /// discarded, or dropped (planDropped() contains the reason).
    void plan(const PlanRequest& request);
    /// Drops the plans of that ticket, which will not be run.
    void discard(quint64 ticket);
    /// Reads the primitives at once and emits refreshed().
    void refresh(quint64 ticket, const std::vector<PrimitivePtr>& primitives);
    /// Runs the plans of that ticket, once. selection: places in the set's plans; empty for all of
    /// them. Runs one request after the other; later ones wait. Several plans are one group in the
    /// journal. group: the id of such a group that has plans of other executors, too. Emits
    /// receiptReady() for each step that was not skipped, then finished(). Emits only planDropped()
    /// if these plans are not kept (any more).
    void run(quint64 ticket, const QString& reason, const std::vector<size_t>& selection = {},
             const QByteArray& group = {});
    /// Stops that run: finishes the current step and skips the rest.
    void stop(quint64 ticket);
    bool isBusy() const { return m_busy; }
    /// Writes in write mode; not connected otherwise.
    Link& acting() { return m_acting; }
    bool isConnected() const { return m_control.isReady() && m_acting.isReady(); }
    TrafficCounts traffic() const { return m_acting.traffic(); }
    /// Returns why more than PlanRequest::mostTargets are refused, as a sentence without full stop;
    /// translated.
    static QString tooManyText();
    /// Reveals a token's code to the user. Writes to the journal first, then emits codeRevealed();
    /// emits revealFailed() on failure. Only in write mode.
    void reveal(const PrimitivePtr& token);
    /// Writes to the journal; see ActionRunner::record().
    Task<Result<void>> record(const Plan& plan, const QString& text, const QString& reason,
                              QObject* context)
    {
        return m_runner.record(plan, text, reason, context);
    }
    /// Returns a ticket that no session uses, for callers that act in this thread.
    quint64 newTicket() { return firstOwnTicket + ++m_ownTickets; }

signals:
    /// Emitted while write mode is still on, before it ends: receivers remove now what they left on
    /// the server.
    void writeModeEnding();
    /// untilMs: local time in milliseconds; 0 if read-only.
    void writeModeUntilChanged(qint64 untilMs);
    /// Write mode was not turned on. error: the reason.
    void writeModeFailed(const lk::Error& error);
    /// Emitted when the limits are known or have changed.
    void limitsChanged(const lk::ServerLimits& limits);
    void planned(const lk::PlanSet& set);
    /// The plans of that ticket cannot be run (any more). why: the reason.
    void planDropped(quint64 ticket, const lk::Error& why);
    void refreshed(quint64 ticket, const lk::FreshStates& states);
    void receiptReady(quint64 ticket, const lk::Receipt& receipt);
    void finished(quint64 ticket);
    void touched(const QList<QByteArray>& keys);
    void codeRevealed(const lk::PrimitiveId& token);
    void revealFailed(const lk::Error& error);

private:
    struct Planning
    {
        PlanRequest request;
        PlanSet set;
        size_t next = 0;
        size_t underWay = 0; ///< the number of planTargets()
        bool discarded = false;
        NodeWait nodes = {};
    };
    using PlanningPtr = std::shared_ptr<Planning>;

    struct Run
    {
        quint64 ticket = 0;
        QString reason;
        std::deque<Plan> waiting;
        bool stopped = false; ///< applies also to a step that waits for its node
        NodeWait nodes = {};
    };

    static constexpr quint64 firstOwnTicket = quint64(1) << 63;

    void onControlStatus(const ConnectionStatus& status);
    void onActingStatus(const ConnectionStatus& status);
    void beginWriteMode();
    void openActing();
    void closeWhenAnswered();
    Task<> planTargets(PlanningPtr planning);
    Task<Result<Plan>> planOne(PlanningPtr planning, PlanRequest::Target target);
    Task<> planUndos(PlanningPtr planning);
    Task<> compareUndos(PlanningPtr planning);
    void add(PlanSet& set, Plan plan) const;
    Plan withNode(Plan plan) const;
    Task<> limitsRead();
    void readLimitsNow();
    void setLimits(const ServerLimits& limits);
    void finishPlanning(const PlanningPtr& planning);
    void dropPlans(const QString& why);
    Task<> runAll();
    Task<> runOne(Plan plan);
    std::optional<Error> movedSince(const Plan& plan);
    void forgetMoved(const Plan& plan, const Receipt& receipt);

    Link& m_control;
    Router m_acting;
    FirstSeen& m_firstSeen;
    const Clock& m_clock;
    ActionFiles m_files;
    ActionRunner m_runner;
    ServerClock m_serverClock;
    QTimer m_writeModeTimer;
    ServerInfo m_server; ///< the plans' server, from its latest INFO
    ServerLimits m_limits;
    bool m_readingLimits = false;
    std::vector<std::function<void(Passed)>> m_whenLimited; ///< waiting for the limits
    std::map<quint64, PlanningPtr> m_plannings;             ///< in progress, by ticket
    KeptPlans m_kept;
    std::deque<Run> m_runs; ///< the first is in progress
    qint64 m_wantedMs = 0;  ///< duration of write mode while it connects; else 0
    bool m_closing = false; ///< closes m_acting after the outstanding replies
    bool m_busy = false;
    quint64 m_ownTickets = 0;
};

} // namespace lk
