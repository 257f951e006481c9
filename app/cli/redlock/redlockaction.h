// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"
#include "backend/redis/redlock/redlockgroup.h"

namespace lk {

/// Does what the command line wants done about a lock on all servers of its group, or takes that
/// back: plans, asks, runs, prints a receipt for each server. Exit code: ExitDone if it is done on
/// every server that has it, ExitFound if not, ExitUsage where nothing could be begun. Needs a
/// QCoreApplication, runs its event loop.
int runRedlockAction(const Invocation& invocation, const std::vector<RedlockGroup>& groups);

} // namespace lk
