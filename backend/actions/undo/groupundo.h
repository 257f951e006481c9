// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/runner.h"

namespace lk {

/// What was run together, to be taken back.
struct GroupUndo
{
    std::vector<Plan> plans; ///< in the order of the steps: they are taken back from the end
    QString leftOut;         ///< a line for each step that cannot be undone, and why; translated
    int missed = 0;          ///< how many these are
};

/// serverMs: its time now, 0 where it is not known. Out of the journal: what was done in that group
/// and is not undone yet. Errors: FileError, NotFound if there is no such group or nothing in it
/// can be undone (any more).
Result<GroupUndo> planGroupUndo(const ActionRunner& runner, const QByteArray& group,
                                qint64 serverMs);

} // namespace lk
