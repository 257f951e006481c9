// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/libraries/families/files/layoutfile.h"

namespace lk {

/// Adds a layout of the operator's own to those of this process, before all others. For main() and
/// tests: only before the first use of allLayouts() and before any thread is started. Errors:
/// BadConfig, where there is one of that id already.
Result<void> addLayout(LayoutFile file);

} // namespace lk
