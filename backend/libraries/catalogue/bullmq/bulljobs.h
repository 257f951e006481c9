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

/// The facts of these jobs, in their order; nothing for one whose hash no longer exists.
Read<std::vector<std::optional<JobFacts>>> readBullFacts(QByteArray stem,
                                                         std::vector<QByteArray> ids);
/// Those of these jobs that are still in progress, with their locks. A job that was active before
/// and after its lock was read, and had none, is stuck.
Read<std::vector<QueueJob>> readBullActive(QByteArray stem, std::vector<QByteArray> ids);

/// See Layout::readJobs() and readJob().
Read<std::vector<StoredJob>> readBullJobs(QByteArray stem, BullState state, JobQuery query);
Read<JobDetail> readBullJob(QByteArray stem, QByteArray id);

/// Adds the jobs in progress to the queue, and the workers that they name.
void addActive(QueueState& queue, std::vector<QueueJob> active);

} // namespace lk
