// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"

namespace lk {

/// Prints what is recorded of one primitive. Asks the disk, no server.
int runHistory(const Invocation& invocation);

/// Prints a moment of a recording as a snapshot of that time. The same.
int runRecordedSnapshot(const Invocation& invocation);

} // namespace lk
