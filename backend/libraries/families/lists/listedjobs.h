// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// The jobs of a queue of lists by state. Waiting, in progress and dead-lettered jobs are in lists
// and are taken from the right end. Delayed jobs are in a sorted set by due time.

/// The four states with the queue's counts.
std::vector<JobState> listJobStates(const QueueState& queue);

/// See Layout::jobReads(). Reads the number and size of the jobs, then as many as fit.
std::vector<Command> listJobReads(const Primitive& primitive, const JobQuery& query,
                                  std::span<const Reply> replies);
std::vector<StoredJob> listJobs(const Primitive& primitive, const JobQuery& query,
                                std::span<const Reply> replies);

} // namespace lk
