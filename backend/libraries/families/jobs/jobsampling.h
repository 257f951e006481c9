// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// Measures how long jobs waited and ran, from the times that their library stores. Reads the jobs
// that ended last, each once, and those in progress; it asks no worker. Only for a queue that is
// read in detail.

/// How many of the jobs that ended last are read.
inline constexpr qint64 endedJobsRead = 100;

/// The sample of the queue's last read; null if there is none.
const JobSample* knownSample(const ReadContext& context);
/// True if the sample has the times of that ended job.
bool isSampled(const JobSample* known, const QByteArray& id);
/// The ids whose times are still to be read, in the same order.
std::vector<QByteArray> unsampled(const JobSample* known, const std::vector<QByteArray>& ids);

/// Adds the jobs that ended last to the queue's sample. ids: all that were listed, latest first;
/// read: those that were read now, in any order; kept: how many ended jobs there are.
void sampleEnded(QueueState& queue, const ReadContext& context, const std::vector<QByteArray>& ids,
                 const std::vector<JobFacts>& read, qint64 kept);

/// Samples the jobs in progress and fills in how long jobs waited and ran. If the library does not
/// count finished jobs, derives their number from the end times. failed: the latest failed jobs,
/// latest first.
void finalizeTimes(QueueState& queue, const ReadContext& context,
                   const std::vector<JobFacts>& failed = {});

} // namespace lk
