// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// The jobs of a queue of lists by state. Waiting, in progress and dead-lettered jobs are in lists
// and are taken from the right end. Delayed jobs are in a sorted set by due time.

/// The four states with the queue's counts.
std::vector<JobState> listJobStates(const QueueState& queue);

/// See Layout::readJobs(). Reads the number and size of the jobs, then as many as fit.
Read<std::vector<StoredJob>> readListJobs(const Primitive& primitive, JobQuery query);

} // namespace lk
