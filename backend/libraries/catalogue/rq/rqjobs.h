// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/families/jobs/keyedqueue.h"

namespace lk {

// RQ keeps a job in a hash rq:job:<id> and, since 1.12, the results of its runs in a stream
// rq:results:<id>. Times are ISO 8601 with microseconds.

/// A state of RQ's queues: the list itself or one of the registries, which are sorted sets of ids.
struct RqState
{
    const char* name; ///< RQ's name of the job status
    JobRole role;
    const char* part; ///< the part of the key's name, "wip"
    /// The meaning of the registry's scores: the time at which the job's lease ends, the job is
    /// due, or the entry expires.
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

/// HMGET of the fields that a table shows; never reads the job's arguments.
Command rqJobRead(const QByteArray& stem, const QByteArray& id);
/// XREVRANGE of its last result.
Command rqResultRead(const QByteArray& stem, const QByteArray& id);
/// Decodes the replies to these reads. result: null if it was not read. If the job no longer
/// exists, only its id is set.
JobFacts rqJobOf(const QByteArray& id, const Reply& fields, const Reply* result);
/// True if the job's hash no longer exists.
bool isRqJobGone(const Reply& fields);
/// Returns the time at which a job entered the registry of failed jobs, computed from its score:
/// the time at which the entry expires. A job whose worker died has no end of its own. Returns
/// nothing if the job is kept for ever.
std::optional<qint64> rqFailedMs(const Reply& fields, double score);

/// See KeyedQueue::readDetail(). stem: "rq:".
Read<JobDetail> readRqDetail(QByteArray stem, QByteArray id, const JobRead& read, JobDetail detail);

} // namespace lk
