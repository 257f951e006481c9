// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// Sidekiq's jobs are JSON wherever they are: {"class", "args", "jid", "queue", ...}. Times are
// seconds with a fraction, since Sidekiq 8 milliseconds.

/// The sets that the queues of a namespace share.
struct SidekiqSet
{
    const char* name; ///< the state's, as Sidekiq's own page has it
    const char* key;
    JobRole role;
};
inline constexpr SidekiqSet sidekiqSets[] = {
    {"scheduled", "schedule", JobRole::Delayed},
    {"retries", "retry", JobRole::Delayed},
    {"dead", "dead", JobRole::Dead},
    {"interrupted", "interrupted", JobRole::Dead}, // by GitLab's fetcher, after too many crashes
};

/// What the JSON tells; nothing if it is no job of Sidekiq.
struct SidekiqJob
{
    QByteArray queue;
    JobFacts facts;
};
std::optional<SidekiqJob> sidekiqJobOf(const QByteArray& payload);

/// Links a job of a batch (Sidekiq Pro) to the others of it, which have its id in their payloads.
void addSidekiqBatch(const QByteArray& queue, JobDetail& detail);

/// A thread's entry in <process>:work: its queue, the job, since when.
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
