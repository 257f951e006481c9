// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/commandspec.h"

namespace lk {

/// Of the commands that keep a recording and read it.
CommandSpec recordSpec();
CommandSpec historySpec();

} // namespace lk
