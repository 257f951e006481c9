// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

namespace lk {

/// Exit codes of every command.
enum ExitCode : int {
    ExitDone = 0,
    ExitFound = 1,    ///< something was found, or an action was refused
    ExitUsage = 2,    ///< wrong use, or no connection
    ExitSignal = 128, ///< plus the number of the signal that ended it
};

/// Prints one line on stderr and returns ExitUsage. where: the server, if there are several.
int reportError(const Error& error, const QString& where = {});

/// Ends the process without destructors: destroying a million primitives takes as long as printing
/// them. The caller must have flushed its Output. Does nothing if a sanitizer looks for leaks.
void endAtOnce(int code);

} // namespace lk
