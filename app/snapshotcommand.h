// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/invocation.h"

#include <functional>

class QIODevice;

namespace lk {

/// Exit codes of every command.
enum ExitCode : int {
    ExitDone = 0,
    ExitFound = 1,   ///< something was found, or an action was refused
    ExitNoWay = 2,   ///< wrong use, or no connection
    ExitSignal = 128, ///< and the number of the signal that ended it
};

/// One line on stderr.
int reportError(const Error& error);

/// Prints a snapshot and answers the exit code.
using SnapshotPrinter = std::function<int(const Snapshot& snapshot, QIODevice& out)>;

/// Whether items in processing are as old as this account's looks have seen them.
enum class Ages : quint8 {
    Unknown, ///< one look tells nothing of the past
    Kept,    ///< as the console and earlier looks kept them, and this one for the next
};

/// Which jobs of queues are read.
enum class Jobs : quint8 { InProgress, Listed /**< those of every state that is shown */ };

/// Takes one look, which only reads, and has it printed on stdout. Exit code: the printer's, or
/// ExitNoWay if the look or the printing failed. Needs a QCoreApplication, runs its event loop.
int runLook(const Invocation& invocation, Ages ages, Jobs jobs, const SnapshotPrinter& print);

/// Takes a snapshot and prints it on stdout. Needs a QCoreApplication, runs its event loop.
int runSnapshot(const Invocation& invocation);

} // namespace lk
