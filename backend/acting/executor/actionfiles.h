// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/undostore.h"

class QThread;

namespace lk {

/// Where a session keeps what it did, and what undo needs. The thread is not owned and outlives
/// the session.
struct ActionFiles
{
    QString journal; ///< empty: nothing can be done in this session
    UndoStore undo = UndoStore(QString());
    QThread* journalThread = nullptr; ///< see JournalWriter
};

} // namespace lk
