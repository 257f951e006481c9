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

/// Where a session in write mode acts: plans on the control connection, which only reads, keeps
/// what it planned, and runs what of that was agreed to on a connection of its own, one step at a
/// time and paced, so that the server breathes. That one is there while write mode is on: for a
/// time, and no longer than both connections last. Lives in the I/O thread.
class ActionExecutor final : public QObject
{
    Q_OBJECT

public:
    ActionExecutor(Link& control, FirstSeen& firstSeen, const Clock& clock, ActionFiles files,
                   QObject* parent);

    void setClock(const ServerClock& clock) { m_serverClock = clock; }
    /// What the server says of itself by now: its role may have changed.
    void setInfo(const ServerInfo& info);
    void setPassword(const QString& user, const QString& password);
    void setSentinelPassword(const QString& user, const QString& password);
    /// Connects to act: writeModeUntilChanged() or writeModeFailed() tells.
    void enableWriteMode(qint64 forMs);
    void disableWriteMode();
    /// planned() brings the plans; they are kept under their ticket until they are run, discarded,
    /// or planDropped() says why they are not any more.
    void plan(const PlanRequest& request);
    /// Nobody is going to run these.
    void discard(quint64 ticket);
    /// Reads these at once: refreshed() brings them.
    void refresh(quint64 ticket, const std::vector<PrimitivePtr>& primitives);
    /// Runs what was planned under that ticket, once. selection: places in the set's plans; empty:
    /// all of them. One run after the other: what is asked for meanwhile waits its turn. Several
    /// plans are one group in the journal. receiptReady() comes for each step that was not left
    /// undone, then finished(); or only planDropped(), if these plans are not kept (any more).
    void run(quint64 ticket, const QString& reason, const std::vector<size_t>& selection = {});
    /// Of that run what is under way is finished; the rest is left undone.
    void stop(quint64 ticket);
    bool isBusy() const { return m_busy; }
    /// Writes in write mode; not connected otherwise.
    Link& acting() { return m_acting; }
    bool isConnected() const { return m_control.isReady() && m_acting.isReady(); }
    TrafficCounts traffic() const { return m_acting.traffic(); }
    /// Why more than PlanRequest::mostTargets are refused, a sentence without full stop;
    /// translated.
    static QString tooManyText();
    /// Lets a person see a token's code: written into the journal first, then codeRevealed(); else
    /// revealFailed(). Only in write mode.
    void reveal(const PrimitivePtr& token);
    /// Into the journal; see ActionRunner::record().
    void record(const Plan& plan, const QString& text, const QString& reason, QObject* context,
                JournalWriter::Handler handler)
    {
        m_runner.record(plan, text, reason, context, std::move(handler));
    }
    /// One that no session gives out: for who acts in this thread.
    quint64 newTicket() { return firstOwnTicket + ++m_ownTickets; }

signals:
    /// Write mode is still on, for the last time: what was left on the server is to be taken away
    /// now.
    void writeModeEnding();
    /// 0: read-only. Local milliseconds.
    void writeModeUntilChanged(qint64 untilMs);
    /// It stays read-only: why.
    void writeModeFailed(const lk::Error& error);
    /// What stands in the way of acting, if anything, is known, or is another thing now.
    void limitsChanged(const lk::ServerLimits& limits);
    void planned(const lk::PlanSet& set);
    /// These plans cannot be run (any more): why.
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
        size_t underWay = 0;
        size_t placed = 0; ///< of the plans of undo: their nodes are known
        bool discarded = false;
        NodeWait nodes = {};
    };
    using PlanningPtr = std::shared_ptr<Planning>;

    struct Run
    {
        quint64 ticket = 0;
        QString reason;
        std::deque<Plan> waiting;
        bool stopped = false; ///< also of what has waited for its node since
        NodeWait nodes = {};
    };

    static constexpr quint64 firstOwnTicket = quint64(1) << 63;

    void onControlStatus(const ConnectionStatus& status);
    void onActingStatus(const ConnectionStatus& status);
    void beginWriteMode();
    void openActing();
    void closeWhenAnswered();
    void planNext(const PlanningPtr& planning);
    void planUndo(const PlanningPtr& planning);
    void placeUndos(const PlanningPtr& planning);
    void compareUndo(const PlanningPtr& planning);
    void add(PlanSet& set, Plan plan) const;
    Plan withNode(Plan plan) const;
    void planOne(const PlanningPtr& planning, const PlanRequest::Target& target);
    void withLimits(std::function<void()> then);
    void readLimitsNow();
    void setLimits(const ServerLimits& limits);
    void finishPlanning(const PlanningPtr& planning);
    void dropPlans(const QString& why);
    void runNext();
    void runOne(const Plan& plan, const std::optional<Error>& nodeDown);
    std::optional<Error> movedSince(const Plan& plan);
    void onReceipt(const Plan& plan, const Receipt& receipt);
    void forgetMoved(const Plan& plan, const Receipt& receipt);

    Link& m_control;
    Router m_acting;
    FirstSeen& m_firstSeen;
    const Clock& m_clock;
    ActionFiles m_files;
    ActionRunner m_runner;
    ServerClock m_serverClock;
    QTimer m_writeModeTimer;
    QTimer m_pace;
    ServerInfo m_server; ///< of the server that the plans are of, as it was told last
    ServerLimits m_limits;
    bool m_readingLimits = false;
    std::vector<std::function<void()>> m_whenLimited; ///< wait for them to be known
    std::map<quint64, PlanningPtr> m_plannings;       ///< under way, by ticket
    KeptPlans m_kept;
    std::deque<Run> m_runs; ///< the first is under way
    qint64 m_wantedMs = 0;  ///< of write mode, while it is being connected; else 0
    bool m_closing = false; ///< the acting connection, once what was sent is answered
    bool m_busy = false;
    quint64 m_ownTickets = 0;
};

} // namespace lk
