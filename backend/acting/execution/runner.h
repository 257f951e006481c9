// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/execution/timedscript.h"
#include "backend/acting/journal/journalwriter.h"
#include "backend/acting/journal/undostore.h"
#include "backend/core/clock.h"
#include "backend/core/task.h"
#include "backend/redis/link.h"

namespace lk {

/// Names a run of several in the journal and for undo.
QByteArray newGroupId();

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
    /// Runs a step and returns its receipt, later. An unknown outcome is reported after the
    /// script's deadline: the script writes nothing after that.
    Task<Receipt> run(Plan plan, QString reason, QObject* context);
    /// Reports a step in the same way, without running it. why: the reason.
    Task<Receipt> refuse(Plan plan, Error why, QObject* context);
    /// Writes a journal entry for something that is not a run: auto-requeue takes its lock or
    /// releases it. Returns when the entry is on disk. Errors: FileError; the caller must not
    /// proceed then.
    Task<Result<void>> record(Plan plan, QString text, QString reason, QObject* context);
    const Journal& journal() const { return m_journal.journal(); }

    /// Plans the undo of the steps of these receipts, in their order; see undoPlan(). The journal
    /// thread reads the records.
    Task<std::vector<Result<Plan>>> planUndos(QByteArrayList receipts, qint64 serverMs,
                                              QObject* context);
    /// Lets the journal thread remove the expired undo records.
    void removeExpiredUndo();

private:
    Task<> readUser(QObject* context);
    void giveBack(const QByteArray& undoes);
    AuditContext auditContext(const Plan& plan, const QString& reason) const;

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
