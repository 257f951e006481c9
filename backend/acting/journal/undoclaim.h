// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/journalwriter.h"
#include "backend/acting/journal/undostore.h"
#include "backend/redis/link.h"

#include <functional>

namespace lk {

/// Takes an undo out of the store for one run. Where nobody knows what came of a run before, whose
/// deadline has passed, the keys are read: if they are as the step left them, it did nothing.
/// The disk is the journal thread's matter. The handler comes once, later; not if the context is
/// gone: the undo is given back then. disk outlives the claim. Errors: NotFound, and what reading
/// brought.
void claimUndo(Link& connection, JournalWriter& disk, const UndoStore& store,
               const QByteArray& receipt, QObject* context,
               std::function<void(const Result<void>&)> handler);

} // namespace lk
