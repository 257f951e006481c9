// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/catalogue/sidekiq/sidekiqjobs.h"

namespace lk {

// A queue's state in three steps: counts and processes; what each process works on, and the shared
// sets as far as they are small; then nothing more. The sets are read only where jobs are asked for
// at all: which of their jobs are this queue's is in the jobs.

std::vector<Command> sidekiqReads(const SidekiqQueue& queue);
std::vector<Command> sidekiqFurtherReads(const SidekiqQueue& queue, const ReadContext& context,
                                         std::span<const Reply> replies);
State sidekiqState(const SidekiqQueue& queue, std::span<const Reply> replies,
                   const ReadContext& context);

} // namespace lk
