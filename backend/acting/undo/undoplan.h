// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/undostore.h"
#include "backend/libraries/api/plan.h"

namespace lk {

/// Returns the plan that undoes the step of that receipt, as a step of its own. here: placesOf()
/// the deployment; serverMs: its time now, 0 if not known. Thread-safe; blocks for the disk.
/// Errors: NotFound, NotPossible.
Result<Plan> undoPlan(const UndoStore& undo, const QByteArray& receipt, const QStringList& here,
                      qint64 serverMs);

} // namespace lk
