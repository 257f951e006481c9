// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"

namespace lk {

/// lockkeeper layouts: prints every layout there is, or checks files. The exit code.
int runLayouts(const Invocation& invocation);

} // namespace lk
