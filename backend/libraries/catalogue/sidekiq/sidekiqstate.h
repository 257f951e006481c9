// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/catalogue/sidekiq/sidekiqjobs.h"

namespace lk {

// Reads a queue's state in two steps: first the counts and the processes, then the jobs in progress
// of each process and the shared sets that are small. The sets are read only if payloads are,
// because only the jobs themselves name their queue.

std::vector<Command> sidekiqReads(const SidekiqQueue& queue);
std::vector<Command> sidekiqFurtherReads(const SidekiqQueue& queue, const ReadContext& context,
                                         std::span<const Reply> replies);
State sidekiqState(const SidekiqQueue& queue, std::span<const Reply> replies,
                   const ReadContext& context);

} // namespace lk
