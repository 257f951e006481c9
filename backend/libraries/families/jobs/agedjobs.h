// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/families/jobs/libraryjobs.h"

namespace lk::actions {

// Old jobs in a sorted set whose scores are the jobs' end times: the oldest below a score, and how
// many there are in all.

/// Reads them from a set of ids. msPerScore: 1 or 1000.
Read<AgedJobs> readAgedIds(QByteArray key, QByteArray beforeScore, qint64 msPerScore);
/// Reads them from a set of whole jobs that several queues share: those for which factsOf() returns
/// facts.
Read<AgedJobs> readAgedPayloads(QByteArray key, QByteArray beforeScore, const Primitive& queue,
                                std::optional<JobFacts> (*factsOf)(const Primitive& queue,
                                                                   const QByteArray& payload));

/// The end time of the last of these jobs (ms).
qint64 lastEndMs(const std::vector<StoredJob>& jobs);

} // namespace lk::actions
