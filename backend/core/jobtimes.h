// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <memory>
#include <optional>
#include <vector>

namespace lk {

/// How long one job waited and ran, by the times that its library stored.
struct JobTiming
{
    quint64 fingerprint = 0; ///< of the job's id
    std::optional<qint64> startedMs;
    std::optional<qint64> endedMs;
    std::optional<qint64> waitedMs; ///< from when a worker could have taken it until one did
    std::optional<qint64> ranMs;

    bool operator==(const JobTiming&) const = default;
};

/// The jobs of a queue whose times are looked at; bounded. Each is read once.
struct JobSample
{
    std::vector<JobTiming> ended;   ///< that ended well and are still kept, the last first
    bool endedCut = false;          ///< more are kept
    std::vector<JobTiming> started; ///< that were seen in progress, the last started first
};
using JobSamplePtr = std::shared_ptr<const JobSample>;

/// What 50, 95 and 99 of a hundred durations do not exceed, and of how many that is.
struct DurationSpread
{
    qint64 p50 = 0;
    qint64 p95 = 0;
    qint64 p99 = 0;
    qint64 jobs = 0;

    bool operator==(const DurationSpread&) const = default;
};
/// By nearest rank: each is one of the durations. Nothing of none.
std::optional<DurationSpread> spreadOf(std::vector<qint64> durations);

/// Whose counting says how many jobs a queue gets done.
enum class RateSource : quint8 {
    None,           ///< nobody's
    Totals,         ///< the library's, of this queue
    TotalsOfAll,    ///< the library's, of all of its queues together
    TotalsOfWorker, ///< this queue's workers', whichever queue a job came from
    EndTimes,       ///< when the jobs ended that are still kept: at least
};

} // namespace lk
