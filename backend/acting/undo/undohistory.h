// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/receipt.h"

#include <QByteArrayList>

namespace lk {

/// The runs done here that can be undone, the last run first. An undo shortcut takes them back step
/// by step. Bounded. A value.
class UndoHistory
{
public:
    /// Adds a receipt of the run with that ticket. If it is an undo, removes the step that it
    /// undid.
    void note(quint64 ticket, const Receipt& receipt);
    /// Returns the receipts of the last run, its last step first. Empty if nothing can be undone.
    QByteArrayList last() const;

private:
    struct Run
    {
        quint64 ticket = 0;
        QByteArrayList receipts; ///< the last step first
    };
    std::vector<Run> m_runs; ///< oldest first
};

} // namespace lk
