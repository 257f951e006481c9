// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/journal.h"

namespace lk {

/// Returns the steps of that group that are not undone yet, in the order of undoing: the last step
/// first. Errors: NotFound if there is no such group, or no step is left.
Result<std::vector<JournalEntry>> undoableSteps(const Journal::Contents& journal,
                                                const QByteArray& group);

} // namespace lk
