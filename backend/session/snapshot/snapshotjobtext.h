// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

class QIODevice;

namespace lk {

/// Writes how many jobs a queue has in each state, and those that were listed, numbered as --index
/// names them. Payloads are secrets: a digest tells one from another. Nothing for other states.
void writeJobsText(QIODevice& out, const State& state, const std::vector<ListedJobs>& lists);

} // namespace lk
