// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"

namespace lk {

/// Prints the jobs of a queue on stdout. Needs a QCoreApplication, runs its event loop.
int runJobs(const Invocation& invocation);

} // namespace lk
