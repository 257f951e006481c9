// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/journal/undostore.h"
#include "backend/redis/connection.h"

#include <functional>

namespace lk {

/// Takes an undo out of the store for one run. Where nobody knows what came of a run before, whose
/// deadline has passed, the keys are read: if they are as the step left them, it did nothing.
/// The handler comes once; not if the context is gone. Errors: NotFound, and what reading brought.
void claimUndo(Connection& connection, const UndoStore& store, const QByteArray& receipt,
               QObject* context, std::function<void(const Result<void>&)> handler);

} // namespace lk
