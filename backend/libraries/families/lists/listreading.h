// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// Reads the jobs of a queue's lists within bounds, and no more often than they change. Jobs are
// taken from the right end of a list, which holds the oldest ones.

/// A list and the parts of it that are read.
struct JobList
{
    const KeyRole* key = nullptr;
    qint64 length = 0;
    qint64 jobs = 0;   ///< how many jobs of the right end are read
    bool ends = false; ///< reads the jobs at both ends, because they are small
};

/// The result of reading a JobList.
struct JobListRead
{
    JobList list;
    qint64 weight = 0;       ///< size of the key in bytes
    bool weighed = false;    ///< weight is known; else no job is read, since each may have any size
    quint64 fingerprint = 0; ///< of length, weight and, if read, ends
    std::span<const Reply> jobs; ///< leftmost first
};

/// About how many bytes of jobs are read from all lists of one role.
inline constexpr qint64 jobBytesRead = 256 * 1024;

/// The queue of the last read; null if there is none or it had a problem.
const QueueState* knownQueue(const ReadContext& context);
/// The average size in bytes of a job with that role. Waiting jobs may differ in size from those in
/// progress. Empty if not known yet.
std::optional<qint64> weightOf(const ReadContext& context, const QByteArray& role);

/// How many jobs of size each are read from a list with a budget of bytes: at least one, unless
/// isMonstrous(). 0 if the size is unknown.
qint64 jobsWanted(std::optional<qint64> each, qint64 bytes);
/// The same, but 0 if not even one fits.
qint64 jobsWithin(std::optional<qint64> each, qint64 bytes);
/// True if a job of that size is too large to read even one.
bool isMonstrous(std::optional<qint64> each);
/// True if jobs of that size are small enough to read the ends of their list at every polling
/// interval.
bool areEndsLight(std::optional<qint64> each);

/// Adds MEMORY USAGE, the ends, the jobs. In this order, a change in between is noticed later.
void askForJobs(std::vector<Command>& commands, const JobList& list);
/// Takes the replies to askForJobs() off the front.
JobListRead takeJobs(std::span<const Reply>& replies, const JobList& list);

/// Sets in the state whether its jobs in processing are current. A list may change and keep its
/// length, size and ends, so that equal fingerprints prove nothing; different ones prove a change.
void judgePayloads(State& state, const QueueState& queue, const std::vector<JobListRead>& reads,
                   const ReadContext& context);

/// How many payloads in processing occur again, in processing or in next, the next waiting jobs.
qint64 duplicatesOf(const std::vector<QueueJob>& items, std::vector<quint64> next);

} // namespace lk
