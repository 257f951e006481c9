// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/families/jobs/libraryjobs.h"

namespace lk::actions {

// Old jobs in a sorted set whose scores are the jobs' end times.

/// Reads the oldest members below that score, and how many there are in all.
std::vector<Command> agedReads(const QByteArray& key, const QByteArray& beforeScore,
                               std::span<const Reply> replies);
/// The jobs of a set of ids from these replies. msPerScore: 1 or 1000.
AgedJobs agedIds(const QByteArray& key, qint64 msPerScore, std::span<const Reply> replies);
/// The jobs of a set of whole jobs that several queues share: those for which factsOf() returns
/// facts.
AgedJobs agedPayloads(const QByteArray& key, const Primitive& queue, std::span<const Reply> replies,
                      std::optional<JobFacts> (*factsOf)(const Primitive& queue,
                                                         const QByteArray& payload));

/// The end time of the last of these jobs (ms).
qint64 lastEndMs(const std::vector<StoredJob>& jobs);

} // namespace lk::actions
