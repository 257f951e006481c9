// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"

namespace lk {

/// Reads the locks of every [[redlock]] group of the configuration, once, and prints who holds each
/// on how many servers; or does what is wanted about one, see runRedlockAction().
/// passwordVariable: for servers whose URL has none. Exit code: ExitDone, ExitFound if there is a
/// finding, ExitUsage if too few servers answer or no group is declared. Needs a QCoreApplication,
/// runs its event loop.
int runRedlock(const Invocation& invocation, const QString& passwordVariable);

} // namespace lk
