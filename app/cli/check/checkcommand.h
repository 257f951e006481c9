// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"

namespace lk {

/// Takes one snapshot, which only reads, and reports its findings on stdout. Exit code: ExitDone if
/// none is at or above the invocation's failOn, ExitFound if some is, ExitUsage if it could not
/// read everything. Also reads the declared groups of servers and reports them with the first
/// snapshot. passwordVariable: the password of those group servers whose URL has none. Needs a
/// QCoreApplication and runs its event loop.
int runCheck(const Invocation& invocation, const QString& passwordVariable);

} // namespace lk
