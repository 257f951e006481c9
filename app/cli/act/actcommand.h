// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/programstart.h"

namespace lk {

/// Runs `lockkeeper act` with what follows these words; its exit code. start: of this program, for
/// what its environment gave. Needs a QCoreApplication.
int runAct(const QStringList& words, const ProgramStart& start);

} // namespace lk
