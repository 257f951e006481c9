// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/commandspec.h"

namespace lk {

/// The options of the commands that write a recording and read it.
CommandSpec recordSpec();
CommandSpec historySpec();

} // namespace lk
