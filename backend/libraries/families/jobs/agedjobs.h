// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/families/jobs/libraryjobs.h"

namespace lk::actions {

// Old jobs of a sorted set whose scores are when its jobs ended.

/// The oldest below that score, and how many there are in all.
std::vector<Command> agedReads(const QByteArray& key, const QByteArray& beforeScore,
                               std::span<const Reply> replies);
/// These, of a set of ids. msPerScore: 1 or 1000.
AgedJobs agedIds(const QByteArray& key, qint64 msPerScore, std::span<const Reply> replies);
/// These, of a set of whole jobs that several queues share: those for which factsOf says something.
AgedJobs agedPayloads(const QByteArray& key, const Primitive& queue, std::span<const Reply> replies,
                      std::optional<JobFacts> (*factsOf)(const Primitive& queue,
                                                         const QByteArray& payload));

/// When the last of them ended (ms).
qint64 lastEndMs(const std::vector<StoredJob>& jobs);

} // namespace lk::actions
