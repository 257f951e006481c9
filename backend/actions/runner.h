// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/journal.h"
#include "backend/actions/undostore.h"
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
    ActionRunner(Connection& connection, Journal journal, UndoStore undo, const Clock& clock);

    /// The handler is called exactly once, later; not if context is gone before.
    void run(const Plan& plan, const QString& reason, QObject* context, ReceiptHandler handler);
    /// Writes down what is done by other means than one run: that a watcher took its lock, or gave
    /// it back. Errors: FileError; it must not be done then.
    Result<void> record(const Plan& plan, const QString& text, const QString& reason);
    const Journal& journal() const { return m_journal; }

    /// The plan that takes the step of that receipt back: a step of its own. Errors: NotFound, NotPossible.
    Result<Plan> undoPlan(const QByteArray& receipt) const;

private:
    void finish(const Plan& plan, Receipt receipt, const ReceiptHandler& handler);

    Connection& m_connection;
    Journal m_journal;
    UndoStore m_undo;
    const Clock& m_clock;
};

} // namespace lk
