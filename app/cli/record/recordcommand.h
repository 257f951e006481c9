// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"

namespace lk {

/// Records deployments until it is ended. Needs a QCoreApplication, runs its event loop.
int runRecord(const Invocation& invocation, const QString& passwordVariable);

} // namespace lk
