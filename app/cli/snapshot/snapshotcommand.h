// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/snapshot/snapshotruns.h"
#include "app/process/exitcodes.h"

#include <functional>

class QIODevice;

namespace lk {

class RedlockCheck;

/// Prints the snapshots and returns the exit code.
using SnapshotsPrinter = std::function<int(const std::vector<TakenSnapshot>& taken, QIODevice&)>;
/// Prints one snapshot and returns its exit code.
using SnapshotPrinter = std::function<int(const TakenSnapshot& taken, QIODevice& out)>;

/// The configuration that an invocation names, once its own layouts are known.
Result<Config> loadConfigOf(const Invocation& invocation);

/// Takes the snapshots of all addresses side by side, which only reads. Prints them on stdout once
/// all are there and groups, if not null, has finished. Returns the printer's exit code, or
/// ExitUsage if printing failed. Needs a QCoreApplication and runs its event loop.
int printSnapshots(const Invocation& invocation, const Config& config, Ages ages,
                   PackedStates::Order order, const SnapshotsPrinter& print,
                   RedlockCheck* groups = nullptr);

/// Prints one snapshot as it is. Several as text: each under a heading; as JSON: {"schema":2,
/// "deployments":[...]} with the output for each, or the reason why there is none. A snapshot that
/// could not be taken is reported on stderr, too. Returns the worst exit code.
int printEach(const std::vector<TakenSnapshot>& taken, Invocation::Format format, QIODevice& out,
              const SnapshotPrinter& print);

/// Reports on stderr the snapshots that could not be taken. Returns ExitUsage if there is one.
int reportFailed(const std::vector<TakenSnapshot>& taken);

/// Takes a snapshot of each address and prints it on stdout. Needs a QCoreApplication, runs its
/// event loop.
int runSnapshot(const Invocation& invocation);

} // namespace lk
