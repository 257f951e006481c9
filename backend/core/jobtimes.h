// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <memory>
#include <optional>
#include <vector>

namespace lk {

/// How long one job waited and ran, computed from the times that its library stored.
struct JobTiming
{
    quint64 fingerprint = 0; ///< fingerprint of the job's id
    std::optional<qint64> startedMs;
    std::optional<qint64> endedMs;
    std::optional<qint64> waitedMs; ///< from when a worker could have taken it until one did
    std::optional<qint64> ranMs;

    bool operator==(const JobTiming&) const = default;
};

/// The jobs of a queue whose times are read; bounded. Each job is read once.
struct JobSample
{
    std::vector<JobTiming> ended;   ///< jobs that completed and are still stored, the last first
    bool endedCut = false;          ///< more jobs are stored
    std::vector<JobTiming> started; ///< jobs that were seen in progress, the last started first
};
using JobSamplePtr = std::shared_ptr<const JobSample>;

/// The 50th, 95th and 99th percentile of durations, and the number of jobs.
struct DurationSpread
{
    qint64 p50 = 0;
    qint64 p95 = 0;
    qint64 p99 = 0;
    qint64 jobs = 0;

    bool operator==(const DurationSpread&) const = default;
};
/// Computes percentiles by nearest rank, so each is one of the durations. Empty if there are none.
std::optional<DurationSpread> spreadOf(std::vector<qint64> durations);

/// The source of a queue's job rates.
enum class RateSource : quint8 {
    None,           ///< unknown
    Totals,         ///< the library's totals for this queue
    TotalsOfAll,    ///< the library's totals for all of its queues together
    TotalsOfWorker, ///< the totals of this queue's workers, whichever queue a job came from
    EndTimes,       ///< the end times of the jobs that are still stored; a lower bound
};

} // namespace lk
