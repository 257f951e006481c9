// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/journalwriter.h"
#include "backend/acting/journal/undostore.h"
#include "backend/core/task.h"
#include "backend/redis/link.h"

namespace lk {

/// Claims an undo record for one run. If the outcome of an earlier run, whose deadline has passed,
/// is unknown, reads the keys: if they are as the step left them, that run did nothing. Accesses
/// the disk in the journal thread. If the context is gone meanwhile, the record is given back. disk
/// must outlive the claim. Errors: NotFound, and the errors of reading.
Task<Result<void>> claimUndo(Link& connection, JournalWriter& disk, UndoStore store,
                             QByteArray receipt, QObject* context);

} // namespace lk
