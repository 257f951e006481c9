// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// Sidekiq's jobs are JSON wherever they are: {"class", "args", "jid", "queue", ...}. Times are
// seconds with a fraction, since Sidekiq 8 milliseconds.

/// The sets that the queues of a namespace share.
struct SidekiqSet
{
    const char* name; ///< the state's name on Sidekiq's own page
    const char* key;
    JobRole role;
};
inline constexpr SidekiqSet sidekiqSets[] = {
    {"scheduled", "schedule", JobRole::Delayed},
    {"retries", "retry", JobRole::Delayed},
    {"dead", "dead", JobRole::Dead},
    {"interrupted", "interrupted", JobRole::Dead}, // by GitLab's fetcher, after too many crashes
};

/// A job, read from its JSON. sidekiqJobOf() returns nothing if it is not a job of Sidekiq.
struct SidekiqJob
{
    QByteArray queue;
    JobFacts facts;
};
std::optional<SidekiqJob> sidekiqJobOf(const QByteArray& payload);

/// Links a job to the other jobs of its batch (Sidekiq Pro). Their payloads contain the batch's id.
void addSidekiqBatch(const QByteArray& queue, JobDetail& detail);

/// A thread's entry in <process>:work: the queue, the job and the time of its start.
struct SidekiqWork
{
    QByteArray queue;
    QByteArray payload;
    JobFacts facts;
};
std::optional<SidekiqWork> sidekiqWorkOf(const QByteArray& entry);

/// Where the jobs of one queue are.
struct SidekiqQueue
{
    QByteArray space;
    QByteArray queue;
    std::vector<QByteArray> working; ///< the lists of a reliable fetcher
};

/// A list of a reliable fetcher: the jobs of one process, whether it lives or not.
struct SidekiqWorking
{
    std::vector<StoredJob> jobs; ///< with what is known of the process' life
    qint64 length = 0;           ///< how many jobs the list has; only the first ones are read
};
Read<std::vector<SidekiqWorking>> readSidekiqWorking(SidekiqQueue queue);

/// Reads this queue's jobs that the threads of these processes work on. facts.worker: the process.
Read<std::vector<StoredJob>> readSidekiqWork(SidekiqQueue queue, std::vector<QByteArray> processes);
/// The SSCAN of the processes.
Command sidekiqProcessesRead(const SidekiqQueue& queue);
std::vector<QByteArray> sidekiqProcessesOf(const Reply& scan);
/// The jobs in progress: those of the lists, with what the processes say of them, and further ones
/// of the processes.
std::vector<StoredJob> sidekiqBusy(const std::vector<SidekiqWorking>& lists,
                                   std::vector<StoredJob> work);

/// See Layout::readJobs().
Read<std::vector<StoredJob>> readSidekiqJobs(SidekiqQueue queue, JobQuery query);

} // namespace lk
