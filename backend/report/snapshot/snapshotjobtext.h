// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

class QIODevice;

namespace lk {

/// Writes the number of jobs that a queue of that name has in each state. Writes nothing for other
/// primitives.
void writeJobsText(QIODevice& out, const State& state, const QString& name);

} // namespace lk
