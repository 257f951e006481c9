// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

namespace lk {

/// Exit codes of every command.
enum ExitCode : int {
    ExitDone = 0,
    ExitFound = 1,    ///< something was found, or an action was refused
    ExitUsage = 2,    ///< wrong use, or no connection
    ExitSignal = 128, ///< and the number of the signal that ended it
};

/// One line on stderr. where: which of several servers it is about; empty: there is one.
int reportError(const Error& error, const QString& where = {});

/// Ends the process as it is: to take a million primitives apart piece by piece takes as long as to
/// print them. What is to be written has to be. Does nothing where a sanitizer looks for leaks.
void endAtOnce(int code);

} // namespace lk
