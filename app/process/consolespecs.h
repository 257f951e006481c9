// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/commandspec.h"

namespace lk {

/// The options of lockkeeper-console, which opens the window, and of its command screenshots.
/// Here, as the command line completes them, too, and links no widgets.
CommandSpec windowSpec();
CommandSpec screenshotsSpec();

} // namespace lk
