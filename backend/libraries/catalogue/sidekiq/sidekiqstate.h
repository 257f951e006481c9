// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/catalogue/sidekiq/sidekiqjobs.h"

namespace lk {

/// Reads a queue's state: first the counts, the fetchers' lists and the processes' names, then the
/// processes with their jobs and the shared sets that are small. The sets are read only if payloads
/// are, because only the jobs themselves name their queue.
Read<DecodeResult> readSidekiqState(SidekiqQueue queue, const ReadContext& context);

} // namespace lk
