// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"
#include "app/process/commandspec.h"

namespace lk {

CommandSpec redlockSpec();

/// What the words and options of `lockkeeper redlock` ask to be done. Errors: BadArgument.
Result<RedlockWanted> readRedlockWanted(const CommandLine& line);

} // namespace lk
