// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/invocation.h"

namespace lk {

/// Exit codes of every command.
enum ExitCode : int {
    ExitDone = 0,
    ExitFound = 1,   ///< something was found, or an action was refused
    ExitNoWay = 2,   ///< wrong use, or no connection
};

/// One line on stderr.
int reportError(const Error& error);

/// Takes a snapshot and prints it on stdout. Needs a QCoreApplication, runs its event loop.
int runSnapshot(const Invocation& invocation);

} // namespace lk
