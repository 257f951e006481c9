// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// How long jobs waited and ran, by the times that their library stores. Looked at are those that
// ended last, each of which is read once, and those in progress; no worker is asked. Only of a
// queue that is read in detail.

/// So many of the jobs that ended last are looked at.
inline constexpr qint64 endedJobsRead = 100;

/// What the last read of that queue had looked at; null: nothing.
const JobSample* knownSample(const ReadContext& context);
/// Whether the times of that ended job are known from then.
bool isSampled(const JobSample* known, const QByteArray& id);
/// Of these the ones whose times are still to be read, in the same order.
std::vector<QByteArray> unsampled(const JobSample* known, const std::vector<QByteArray>& ids);

/// Puts the jobs that ended last into the queue's sample. ids: all that were listed, the last
/// first; read: those that were read now, in any order. kept: how many ended jobs there are.
void sampleEnded(QueueState& queue, const ReadContext& context, const std::vector<QByteArray>& ids,
                 const std::vector<JobFacts>& read, qint64 kept);

/// Samples the jobs in progress and fills in how long jobs waited and ran, and, where nobody counts
/// what gets done, how many that are by their end times. failed: the last ones, the last first.
void finalizeTimes(QueueState& queue, const ReadContext& context,
                   const std::vector<JobFacts>& failed = {});

} // namespace lk
