// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/commandspec.h"
#include "backend/discovery/scan/pace/scanpace.h"

namespace lk {

// Options that several commands of the command line share.

CommandOption formatOption(); ///< text or JSON
CommandOption timeoutOption();
CommandOption storeOption(); ///< the file of the recording
CommandOption paceOption();
/// Empty: it is not given.
Result<std::optional<ScanPace>> paceOf(const CommandLine& line);

} // namespace lk
