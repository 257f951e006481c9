// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/journal.h"

namespace lk {

/// What was done in that group and is not undone yet, in the order in which it is taken back: the
/// last step first. Errors: NotFound if there is no such group, or nothing left of it.
Result<std::vector<JournalEntry>> undoableSteps(const Journal::Contents& journal,
                                                const QByteArray& group);

} // namespace lk
