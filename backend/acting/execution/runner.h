// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/execution/timedscript.h"
#include "backend/acting/journal/journalwriter.h"
#include "backend/acting/journal/undostore.h"
#include "backend/core/clock.h"
#include "backend/redis/link.h"

#include <functional>

namespace lk {

/// Names a run of several in the journal and for undo.
QByteArray newGroupId();

using ReceiptHandler = std::function<void(const Receipt&)>;
using UndoPlansHandler = std::function<void(const std::vector<Result<Plan>>&)>;

/// Runs planned steps: has the intent written to the journal, sends the script once, when that is
/// on the disk, over a connection that may write, keeps what undo needs and has the outcome
/// written. Lives in the connection's thread, which does not wait for the journal.
class ActionRunner
{
public:
    /// journalThread: see JournalWriter.
    ActionRunner(Link& connection, const Journal& journal, UndoStore undo, const Clock& clock,
                 ScriptTiming timing = {}, QThread* journalThread = nullptr);

    /// Sets the link that knows the deployment's nodes while the connection is not established. It
    /// must outlive this object.
    void setSeen(Link& seen) { m_seen = &seen; }
    /// The handler is called exactly once, later; not if context is gone before. An unknown outcome
    /// is reported after the script's deadline: the script writes nothing after that.
    void run(const Plan& plan, const QString& reason, QObject* context, ReceiptHandler handler);
    /// Reports a step in the same way, without running it. why: the reason.
    void refuse(const Plan& plan, const Error& why, QObject* context, ReceiptHandler handler);
    /// Writes a journal entry for something that is not a run: auto-requeue takes its lock or
    /// releases it. The handler is called once, later, when the entry is on disk; not if context is
    /// gone. Errors: FileError; the caller must not proceed then.
    void record(const Plan& plan, const QString& text, const QString& reason, QObject* context,
                JournalWriter::Handler handler);
    const Journal& journal() const { return m_journal.journal(); }

    /// Plans the undo of the steps of these receipts, in their order; see undoPlan(). The journal
    /// thread reads the records. The handler is called once, later; not if context is gone.
    void planUndos(const QByteArrayList& receipts, qint64 serverMs, QObject* context,
                   UndoPlansHandler handler);
    /// Lets the journal thread remove the expired undo records.
    void removeExpiredUndo();

private:
    struct Step;
    using StepPtr = std::shared_ptr<Step>;

    void askUser(const StepPtr& step);
    void claim(const StepPtr& step);
    void giveBack(const QByteArray& undoes);
    void logIntent(const StepPtr& step);
    void send(const StepPtr& step);
    void sendIfEqual(const StepPtr& step);
    AuditContext auditContext(const Plan& plan, const QString& reason) const;
    void onAnswer(const StepPtr& step, const ScriptAnswer& answer);
    void finish(const StepPtr& step, Receipt receipt);

    Link& m_connection;
    Link* m_seen = &m_connection; ///< see setSeen()
    JournalWriter m_journal;
    UndoStore m_undo;
    const Clock& m_clock;
    ScriptTiming m_timing;
    QString m_aclUser;           ///< who the server says this is
    quint64 m_aclGeneration = 0; ///< of the connection that m_aclUser is from; 0 if none
};

} // namespace lk
