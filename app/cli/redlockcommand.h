// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"

namespace lk {

/// Reads the locks of every [[redlock]] group of the configuration, once, and prints who holds each
/// on how many servers. passwordVariable: for servers whose URL has none. Exit code: ExitDone,
/// ExitFound if somebody has a lock on some servers and nobody on enough, ExitUsage if too few
/// servers answer or no group is declared. Needs a QCoreApplication, runs its event loop.
int runRedlock(const Invocation& invocation, const QString& passwordVariable);

} // namespace lk
