// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"

namespace lk {

/// lockkeeper acl: prints what makes a user of the console's own, or, with an address, what its
/// user lacks. The exit code: ExitFound where it lacks something. Needs a QCoreApplication, whose
/// event loop it runs.
int runAcl(const Invocation& invocation);

} // namespace lk
