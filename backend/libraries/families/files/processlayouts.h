// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/libraries/families/files/layoutfile.h"

namespace lk {

/// Adds an operator's own layout to those of this process, before all others. For main() and tests:
/// call it only before the first use of allLayouts() and before any thread starts. Errors:
/// BadConfig if there is already a layout with that id.
Result<void> addLayout(LayoutFile file);

} // namespace lk
