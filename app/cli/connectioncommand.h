// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"

namespace lk {

/// Tries the connection out and prints each stage with its time on stdout, as it goes. Exit code:
/// ExitDone if all went well, ExitFound with a warning, ExitUsage if there is no connection.
/// Needs a QCoreApplication, runs its event loop.
int runConnectionCheck(const Invocation& invocation);

} // namespace lk
