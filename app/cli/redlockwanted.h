// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/invocation.h"
#include "app/process/commandspec.h"

namespace lk {

CommandSpec redlockSpec();

/// Parses the words and options of `lockkeeper redlock`. Errors: BadArgument.
Result<RedlockWanted> readRedlockWanted(const CommandLine& line);

} // namespace lk
