// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

#include <algorithm>

namespace lk {

// Functions that the layouts of job queues share: sums, health and helpers that read replies.

/// How many jobs in progress are read for a queue's state, oldest first.
inline constexpr qint64 jobsInProgressRead = 50;
/// How many failed jobs are read for their groups, latest first.
inline constexpr qint64 failuresRead = 50;

/// Sets ready, processing, delayed and dead to the sums of the states' counts by role. A sum with
/// an unknown part is unknown.
void sumStates(QueueState& queue);

/// How many jobs are in the state of that name. Empty if unknown or if there is no such state.
std::optional<qint64> countOfState(const QueueState& queue, const QByteArray& name);

/// Puts the queue into the state: presence, health and urgency. Marks its items as current.
/// itemsBytes: about how many bytes the read of the items returned.
void finalizeQueue(State& state, QueueState queue, qint64 nowMs, qint64 itemsBytes);

/// Failed jobs grouped by error and name, the most frequent first.
std::vector<FailureGroup> groupsOf(const std::vector<JobFacts>& failed);

/// The first line of an error's text, cut to the length of JobFacts::error.
QByteArray firstLine(const QByteArray& text);

/// A time as a whole number of milliseconds; nothing for anything else.
std::optional<qint64> timeMs(const QByteArray& text);

/// The text of an HMGET reply's item. Empty if the hash has no such field.
QByteArray fieldText(const Reply& hmget, size_t index);

/// The fields of the hash of a job that is shown whole.
struct HashFields
{
    std::vector<std::pair<QByteArray, QByteArray>> light; ///< those that are not empty, by name
    std::vector<QByteArray> heavy; ///< in their order; empty if larger than largestHeavyField
    std::vector<qint64> sizes;     ///< of the heavy ones, bytes
};
inline constexpr qint64 largestHeavyField = 1024 * 1024;
/// Reads these fields. The heavy ones may be large.
Read<HashFields> readHashFields(QByteArray key, std::span<const char* const> light,
                                std::span<const char* const> heavy);

/// Reads a page of ids from a list whose jobs are taken from the right end, next one first.
Command listPageFromRight(const QByteArray& key, const JobQuery& query);
/// The same for a list whose jobs are taken from the left end.
Command listPageFromLeft(const QByteArray& key, const JobQuery& query);
/// Reads a page of a sorted set by rising or falling score, with scores.
Command sortedPage(const QByteArray& key, const JobQuery& query, bool falling);
/// The members of such a page, next job first. Reverses a list from the right and leaves out the
/// scores of a sorted set.
std::vector<QByteArray> membersOf(const Command& page, const Reply& reply);

/// Leaves that page of all jobs.
template<typename Job> void cutToPage(std::vector<Job>& jobs, const JobQuery& query)
{
    const auto size = qint64(jobs.size());
    const qint64 from = std::clamp<qint64>(query.offset, 0, size);
    const qint64 to = std::clamp<qint64>(from + query.limit, from, size);
    jobs.erase(jobs.begin() + to, jobs.end());
    jobs.erase(jobs.begin(), jobs.begin() + from);
}

} // namespace lk
