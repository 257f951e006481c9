// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// The jobs of a queue of lists by their state: waiting, in progress and dead-lettered ones stand in
// lists and are taken from the right end, delayed ones in a sorted set by the time they are due.

/// The four states with the counts that the queue has.
std::vector<JobState> listJobStates(const QueueState& queue);

/// See Layout::jobReads(): how many there are and what they weigh, then as many as fit.
std::vector<Command> listJobReads(const Primitive& primitive, const JobQuery& query,
                                  std::span<const Reply> replies);
std::vector<StoredJob> listJobs(const Primitive& primitive, const JobQuery& query,
                                std::span<const Reply> replies);

} // namespace lk
