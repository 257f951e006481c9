// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// Bull and BullMQ keep a job in a hash stem:<id>. While a worker has the job, there is also a
// string stem:<id>:lock with a TTL. Its value begins with the worker's token.

/// The states' keys and how their jobs are read.
struct BullState
{
    const char* name; ///< also the key's last part
    JobRole role;
    enum class Shape : quint8 { List, Sorted, Newest } shape; ///< Newest: by falling score
};

/// HMGET of the fields that a table shows; never reads the payload.
QByteArray bullJobKey(const QByteArray& stem, const QByteArray& id);
Command bullJobRead(const QByteArray& stem, const QByteArray& id);
Command bullLockRead(const QByteArray& stem, const QByteArray& id); ///< GET of its lock
/// Decodes the replies to these reads. lock: null if it was not read. Returns nothing if the hash
/// no longer exists.
std::optional<JobFacts> bullJobOf(const QByteArray& id, const Reply& fields, const Reply* lock);

/// See Layout::jobReads() and the rest. state: the state that the query asks for.
std::vector<Command> bullJobReads(const QByteArray& stem, const BullState& state,
                                  const JobQuery& query, std::span<const Reply> replies);
std::vector<StoredJob> bullJobs(const QByteArray& stem, const BullState& state,
                                const JobQuery& query, std::span<const Reply> replies);
std::vector<Command> bullJobDetailReads(const QByteArray& stem, const QByteArray& id,
                                        std::span<const Reply> replies);
JobDetail bullJobDetail(const QByteArray& id, std::span<const Reply> replies);

/// The jobs in progress and their locks. A job without a lock is stuck if it was active both before
/// and after its lock was read.
struct BullActive
{
    std::vector<QByteArray> before; ///< oldest first
    std::span<const Reply> jobs;    ///< the replies to bullActiveReads() for each of them
    std::vector<QByteArray> after;

    static constexpr size_t each = 3; ///< replies for each job
};
/// Reads the facts of a job in progress, its lock and the size of its data.
std::vector<Command> bullActiveReads(const QByteArray& stem, const QByteArray& id);
void takeActive(QueueState& queue, const QByteArray& key, const BullActive& active);

} // namespace lk
