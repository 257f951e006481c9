// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/snapshot/snapshotruns.h"
#include "app/process/exitcodes.h"

#include <functional>

class QIODevice;

namespace lk {

class RedlockCheck;

/// Prints what was taken and answers the exit code.
using SnapshotsPrinter = std::function<int(const std::vector<TakenSnapshot>& taken, QIODevice&)>;
/// Prints one snapshot and answers its exit code.
using SnapshotPrinter = std::function<int(const TakenSnapshot& taken, QIODevice& out)>;

/// The configuration that an invocation names, once its own layouts are known.
Result<Config> loadConfigOf(const Invocation& invocation);

/// Takes a snapshot of each address side by side, which only reads, and has them printed on stdout
/// once all are there, and groups, if there are any to look at besides, have finished. Exit code:
/// the printer's, or ExitUsage if the printing failed. Needs a QCoreApplication, runs its event
/// loop.
int printSnapshots(const Invocation& invocation, const Config& config, Ages ages,
                   PackedStates::Order order, const SnapshotsPrinter& print,
                   RedlockCheck* groups = nullptr);

/// One snapshot as it is. Several as text: each under a heading; as JSON: {"schema":2,
/// "deployments":[...]} with what is printed of one, or why there is nothing. What could not be
/// taken is told on stderr, too. The exit code is the worst of them.
int printEach(const std::vector<TakenSnapshot>& taken, Invocation::Format format, QIODevice& out,
              const SnapshotPrinter& print);

/// Tells on stderr what could not be taken. Exit code: ExitUsage if something was not.
int reportFailed(const std::vector<TakenSnapshot>& taken);

/// Takes a snapshot of each address and prints it on stdout. Needs a QCoreApplication, runs its
/// event loop.
int runSnapshot(const Invocation& invocation);

} // namespace lk
