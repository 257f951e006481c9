// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/journal/journal.h"
#include "backend/actions/timedscript.h"
#include "backend/actions/journal/undostore.h"
#include "backend/core/clock.h"
#include "backend/redis/connection.h"

#include <functional>

namespace lk {

/// Names a run of several in the journal and for undo.
QByteArray newGroupId();

using ReceiptHandler = std::function<void(const Receipt&)>;

/// Takes planned steps: journals, sends the script once over an armed connection, journals what
/// came of it and keeps what undo needs. Lives in the connection's thread.
class ActionRunner
{
public:
    ActionRunner(Connection& connection, Journal journal, UndoStore undo, const Clock& clock,
                 ScriptTiming timing = {});

    /// The handler is called exactly once, later; not if context is gone before. An unknown outcome
    /// is told once the script's deadline has passed: nothing is written after the handler came.
    void run(const Plan& plan, const QString& reason, QObject* context, ReceiptHandler handler);
    /// Writes down what is done by other means than one run: that a watcher took its lock, or gave
    /// it back. Errors: FileError; it must not be done then.
    Result<void> record(const Plan& plan, const QString& text, const QString& reason);
    const Journal& journal() const { return m_journal; }

    /// The plan that takes the step of that receipt back: a step of its own. serverMs: its time
    /// now, 0 where it is not known. Errors: NotFound, NotPossible.
    Result<Plan> undoPlan(const QByteArray& receipt, qint64 serverMs = 0) const;

private:
    struct Step;
    using StepPtr = std::shared_ptr<Step>;

    void askUser(const StepPtr& step);
    void claim(const StepPtr& step);
    void send(const StepPtr& step);
    AuditContext auditContext(const QString& reason) const;
    void onAnswer(const StepPtr& step, const ScriptAnswer& answer);
    void finish(const Plan& plan, Receipt receipt, const ReceiptHandler& handler);

    Connection& m_connection;
    Journal m_journal;
    UndoStore m_undo;
    const Clock& m_clock;
    ScriptTiming m_timing;
    QString m_aclUser;           ///< who the server says this is
    quint64 m_aclGeneration = 0; ///< of the connection that was asked; 0: none was
};

} // namespace lk
