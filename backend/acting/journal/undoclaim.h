// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/journalwriter.h"
#include "backend/acting/journal/undostore.h"
#include "backend/redis/link.h"

#include <functional>

namespace lk {

/// Claims an undo record for one run. If the outcome of an earlier run, whose deadline has passed,
/// is unknown, reads the keys: if they are as the step left them, that run did nothing. Accesses
/// the disk in the journal thread. The handler is called once, later. If the context is gone, it is
/// not called and the record is given back. disk must outlive the claim. Errors: NotFound, and the
/// errors of reading.
void claimUndo(Link& connection, JournalWriter& disk, const UndoStore& store,
               const QByteArray& receipt, QObject* context,
               std::function<void(const Result<void>&)> handler);

} // namespace lk
