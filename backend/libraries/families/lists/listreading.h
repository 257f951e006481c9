// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// Reading the jobs of a queue's lists within bounds, and no more often than they change. A job is
// taken from the right end of its list, and the list's right end holds the oldest ones.

/// One list and what is read of it.
struct JobList
{
    const KeyRole* key = nullptr;
    qint64 length = 0;
    qint64 jobs = 0;   ///< asked for, of the right end
    bool ends = false; ///< both end jobs are asked for: they are light
};

/// What its replies told.
struct JobListRead
{
    JobList list;
    qint64 weight = 0;           ///< bytes that the key takes
    bool weighed = false;        ///< it was told; else no job is read, as each may be of any size
    quint64 print = 0;           ///< of length, weight and, where they were asked for, ends
    std::span<const Reply> jobs; ///< leftmost first
};

/// Of all lists of one role, in bytes, about.
inline constexpr qint64 jobBytesRead = 256 * 1024;

/// The queue as it was read last; null where there is none to go by.
const QueueState* knownQueue(const ReadContext& context);
/// What a job of that role weighs, on average: what waits may be of another weight than what is
/// worked on. Empty: not known yet.
std::optional<qint64> weightOf(const ReadContext& context, const QByteArray& role);

/// How many jobs of that weight are read of a list that may bring so many bytes; at least one as
/// long as it is not monstrous. 0 where the weight is not known.
qint64 jobsWanted(std::optional<qint64> each, qint64 bytes);
/// The same, but none where not even one fits.
qint64 jobsWithin(std::optional<qint64> each, qint64 bytes);
/// Whether not even one of that weight is read.
bool isMonstrous(std::optional<qint64> each);
/// Whether jobs of that weight are light enough for their ends to be read on every tick.
bool areEndsLight(std::optional<qint64> each);

/// MEMORY USAGE, the ends, the jobs: in that order, so that a change in between is seen later.
void askForJobs(std::vector<Command>& commands, const JobList& list);
/// Takes the replies to askForJobs() off the front.
JobListRead takeJobs(std::span<const Reply>& replies, const JobList& list);

/// Says in the state whether its jobs in processing are those of now. A list may change and keep
/// its length, its weight and its ends: that these are the same vouches for nothing, only that they
/// differ tells something.
void judgePayloads(State& state, const QueueState& queue, const std::vector<JobListRead>& reads,
                   const ReadContext& context);

/// How many payloads in processing are there again, in processing or among those that wait next.
qint64 duplicatesOf(const std::vector<QueueJob>& items, std::vector<quint64> next);

} // namespace lk
