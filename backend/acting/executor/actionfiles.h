// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/undostore.h"

class QThread;

namespace lk {

/// The files of a session's journal and undo records. The thread is not owned and must outlive the
/// session.
struct ActionFiles
{
    QString journal; ///< empty: no action is possible in this session
    UndoStore undo = UndoStore(QString());
    QThread* journalThread = nullptr; ///< see JournalWriter
};

} // namespace lk
