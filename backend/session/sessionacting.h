// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/autorequeue/autorequeues.h"
#include "backend/acting/journal/journalreader.h"
#include "backend/acting/planning/planset.h"
#include "backend/acting/planning/preflight.h"
#include "backend/acting/undo/undohistory.h"
#include "backend/core/redactedname.h"
#include "backend/polling/freshstates.h"

#include <QHash>
#include <QObject>
#include <QSet>

namespace lk {

class Monitor;
class SessionStates;

/// How a session acts: write mode, plans, runs, auto-requeue and the journal. Uses the executor in
/// the I/O thread and a JournalReader in the worker thread. GUI thread.
class SessionActing final : public QObject
{
    Q_OBJECT

public:
    /// monitor: null in the past. states, monitor: they outlive it. journal: its file; empty: the
    /// session stays read-only.
    SessionActing(SessionStates& states, Monitor* monitor, const QString& journal,
                  QThread* workerThread);
    ~SessionActing() override;

    bool canAct() const { return hasJournal() && m_monitor; }
    bool hasJournal() const { return m_hasJournal; }
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
    /// The receipts of the user's last action here that can be undone, the last step first.
    /// Contains all steps of a run. Empty if there is none. After an undo, the action before it
    /// follows.
    QByteArrayList lastUndoable() const { return m_undoable.last(); }
    /// Which actions the server allows at all, known before the user asks for one.
    const ServerLimits& limits() const { return m_limits; }

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

signals:
    void writeModeChanged();
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
    void autoRequeueChanged(const lk::PrimitiveId& queue);
    void journalRead(const lk::JournalPtr& contents);
    void journalFailed(const lk::Error& error);

private:
    void connectExecutor();
    void onCodeRevealed(const PrimitiveId& token);

    SessionStates& m_states;
    Monitor* m_monitor;
    JournalReader* m_journal; ///< lives in the worker thread
    bool m_hasJournal;
    qint64 m_writeModeUntilMs = 0;
    quint64 m_lastTicket = 0;
    QSet<Handle> m_revealed;
    UndoHistory m_undoable;
    ServerLimits m_limits;
    QHash<PrimitiveId, AutoRequeueStatus> m_autoRequeues;
};

} // namespace lk
