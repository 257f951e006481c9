// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// What Bull and BullMQ keep of a job: a hash stem:<id> and, while a worker has it, a string
// stem:<id>:lock with a TTL, whose value begins with the worker's token.

/// The states' keys and how their jobs are read.
struct BullState
{
    const char* name; ///< also the key's last part
    JobRole role;
    enum class Shape : quint8 { List, Sorted, Newest } shape; ///< Newest: by falling score
};

/// HMGET of what a table shows of a job; never its payload.
QByteArray bullJobKey(const QByteArray& stem, const QByteArray& id);
Command bullJobRead(const QByteArray& stem, const QByteArray& id);
Command bullLockRead(const QByteArray& stem, const QByteArray& id); ///< GET of its lock
/// What these brought. lock: null where it was not asked for. Nothing: the hash is gone.
std::optional<JobFacts> bullJobOf(const QByteArray& id, const Reply& fields, const Reply* lock);

/// See Layout::jobReads() and the rest; state: of the query.
std::vector<Command> bullJobReads(const QByteArray& stem, const BullState& state,
                                  const JobQuery& query, std::span<const Reply> replies);
std::vector<StoredJob> bullJobs(const QByteArray& stem, const BullState& state,
                                const JobQuery& query, std::span<const Reply> replies);
std::vector<Command> bullJobDetailReads(const QByteArray& stem, const QByteArray& id,
                                        std::span<const Reply> replies);
JobDetail bullJobDetail(const QByteArray& id, std::span<const Reply> replies);

/// Jobs in progress with their locks, who has them and which of them nobody has: what was active
/// before and after its lock was found missing is stuck.
struct BullActive
{
    std::vector<QByteArray> before; ///< oldest first
    std::span<const Reply> jobs;    ///< for each of them: to bullActiveReads()
    std::vector<QByteArray> after;

    static constexpr size_t each = 3; ///< replies
};
/// The facts of a job in progress, its lock, how much it was given.
std::vector<Command> bullActiveReads(const QByteArray& stem, const QByteArray& id);
void takeActive(QueueState& queue, const QByteArray& key, const BullActive& active);

} // namespace lk
