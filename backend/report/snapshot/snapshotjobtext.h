// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

class QIODevice;

namespace lk {

/// Writes how many jobs a queue of that name has in each state. Nothing for other primitives.
void writeJobsText(QIODevice& out, const State& state, const QString& name);

} // namespace lk
