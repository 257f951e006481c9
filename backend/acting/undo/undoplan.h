// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/undostore.h"
#include "backend/libraries/api/plan.h"

namespace lk {

/// The plan that takes the step of that receipt back: a step of its own. here: placesOf()
/// those who are asked; serverMs: their time now, 0 where it is not known. For any thread; blocks
/// for the disk. Errors: NotFound, NotPossible.
Result<Plan> undoPlan(const UndoStore& undo, const QByteArray& receipt, const QStringList& here,
                      qint64 serverMs);

} // namespace lk
