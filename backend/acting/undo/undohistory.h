// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/receipt.h"

#include <QByteArrayList>

namespace lk {

/// What was done here and can be undone, the last run first: for one key that undoes it all, step
/// by step. Bounded. A value.
class UndoHistory
{
public:
    /// A receipt of the run with that ticket. What an undo took back is no longer among what can
    /// be.
    void note(quint64 ticket, const Receipt& receipt);
    /// The receipts of the last run, its last step first; empty: there is nothing to undo.
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
