// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"
#include "app/process/programstart.h"
#include "backend/redis/redlock/redlock.h"

namespace lk {

/// Reads the locks of every [[redlock]] group of the configuration, once, and prints who holds each
/// on how many servers; or does what is wanted about one, see runRedlockAction().
/// start: of this program, for what its environment gave. Exit code: ExitDone, ExitFound if there
/// is a finding, ExitUsage if too few servers answer or no group is declared. Needs a
/// QCoreApplication, runs its event loop.
int runRedlock(Invocation invocation, const ProgramStart& start);

/// Releases a lock on all servers of its group, or undoes that: plans, asks, runs, prints a receipt
/// for each server. Exit code: ExitDone if it is done on every server that has it, ExitFound if
/// not, ExitUsage if nothing could be begun. Needs a QCoreApplication, runs its event loop.
int runRedlockAction(const Invocation& invocation, const std::vector<RedlockGroup>& groups);

} // namespace lk
