// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"
#include "app/process/exitcodes.h"

#include <functional>

class QIODevice;

namespace lk {

/// Prints a snapshot and answers the exit code.
using SnapshotPrinter = std::function<int(const Snapshot& snapshot, QIODevice& out)>;

/// Whether items in processing are as old as this account's looks have seen them.
enum class Ages : quint8 {
    Unknown, ///< one snapshot tells nothing of the past
    Kept,    ///< as the console and earlier looks kept them, and this one for the next
};

/// Which jobs of queues are read.
enum class Jobs : quint8 { InProgress, Listed /**< those of every state that is shown */ };

/// Takes one snapshot, which only reads, and has it printed on stdout. Exit code: the printer's, or
/// ExitUsage if the snapshot or the printing failed. Needs a QCoreApplication, runs its event loop.
int printSnapshot(const Invocation& invocation, Ages ages, Jobs jobs, const SnapshotPrinter& print);

/// Takes a snapshot and prints it on stdout. Needs a QCoreApplication, runs its event loop.
int runSnapshot(const Invocation& invocation);

} // namespace lk
