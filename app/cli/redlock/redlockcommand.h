// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"
#include "app/process/programstart.h"

namespace lk {

/// Reads the locks of every [[redlock]] group of the configuration, once, and prints who holds each
/// on how many servers; or does what is wanted about one, see runRedlockAction().
/// start: of this program, for what its environment gave. Exit code: ExitDone, ExitFound if there
/// is a finding, ExitUsage if too few servers answer or no group is declared. Needs a
/// QCoreApplication, runs its event loop.
int runRedlock(Invocation invocation, const ProgramStart& start);

} // namespace lk
