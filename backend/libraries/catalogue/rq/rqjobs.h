// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

// What RQ keeps of a job: a hash rq:job:<id>, and since 1.12 the stream rq:results:<id> of how its
// runs ended. Times are ISO 8601 with microseconds.

/// A state of RQ's queues: the list itself or one of the registries, sorted sets of ids.
struct RqState
{
    const char* name; ///< as RQ's job statuses are called
    JobRole role;
    const char* part; ///< of the key's name, "wip"
    /// What the registry's scores are: until when the job is trusted, when it is due, or when it
    /// is forgotten.
    enum class Score : quint8 { None, Lease, Due, Expiry } score;
};
inline constexpr RqState rqStates[] = {
    {"queued", JobRole::Ready, "queue", RqState::Score::None},
    {"started", JobRole::Processing, "wip", RqState::Score::Lease},
    {"scheduled", JobRole::Delayed, "scheduled", RqState::Score::Due},
    {"deferred", JobRole::Paused, "deferred", RqState::Score::Expiry},
    {"failed", JobRole::Dead, "failed", RqState::Score::Expiry},
    {"finished", JobRole::Done, "finished", RqState::Score::Expiry},
    {"canceled", JobRole::Done, "canceled", RqState::Score::Expiry},
};

/// HMGET of what a table shows of a job; never what it was given.
Command rqJobRead(const QByteArray& stem, const QByteArray& id);
/// XREVRANGE of the last of its results.
Command rqResultRead(const QByteArray& stem, const QByteArray& id);
/// EXISTS of a worker's own key, which its heartbeat renews.
Command rqWorkerRead(const QByteArray& stem, const QByteArray& name);
/// Whether the worker that the job names has no key any more.
bool isWorkerGone(const JobFacts& job, const Reply& exists);
/// What these brought; result null where it was not asked for. A job that is gone has its id only.
JobFacts rqJobOf(const QByteArray& id, const Reply& fields, const Reply* result);
/// When a job was put into the registry of failed ones, whose score says until when it is kept: one
/// whose worker died has no end of its own. Unknown if it is kept for ever.
std::optional<qint64> rqFailedMs(const Reply& fields, double score);

/// See Layout::jobReads() and the rest. stem: "rq:".
std::vector<Command> rqJobReads(const QByteArray& stem, const QByteArray& queue,
                                const JobQuery& query, std::span<const Reply> replies);
std::vector<StoredJob> rqJobs(const QByteArray& stem, const QByteArray& queue,
                              const JobQuery& query, std::span<const Reply> replies);
std::vector<Command> rqJobDetailReads(const QByteArray& stem, const QByteArray& id,
                                      std::span<const Reply> replies);
JobDetail rqJobDetail(const QByteArray& stem, const QByteArray& id, std::span<const Reply> replies);

} // namespace lk
