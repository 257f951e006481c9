// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/programstart.h"

namespace lk {

/// Becomes lockkeeper-console, which is beside this program or on PATH, with the same arguments.
/// Returns only if it is not there or cannot be started: the exit code. Needs a QCoreApplication.
int startConsole(int argc, char** argv, const ProgramStart& start);

} // namespace lk
