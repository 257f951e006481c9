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

/// See Layout::jobReads(). working: the lists of a reliable fetcher.
struct SidekiqQueue
{
    QByteArray space;
    QByteArray queue;
    std::vector<QByteArray> working;
};
std::vector<Command> sidekiqJobReads(const SidekiqQueue& queue, const JobQuery& query,
                                     std::span<const Reply> replies);
std::vector<StoredJob> sidekiqJobs(const SidekiqQueue& queue, const JobQuery& query,
                                   std::span<const Reply> replies);

} // namespace lk
