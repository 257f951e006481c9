// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"
#include "backend/core/handle.h"

#include <QByteArray>

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lk {

/// The role of a job state in its queue. Libraries name their states; roles make them comparable.
enum class JobRole : quint8 { Ready, Processing, Delayed, Dead, Done, Paused };
inline constexpr std::array allJobRoles{JobRole::Ready, JobRole::Processing, JobRole::Delayed,
                                        JobRole::Dead,  JobRole::Done,       JobRole::Paused};
QByteArray jobRoleId(JobRole role); ///< as in the JSON: "ready"

/// A delayed job is overdue once it has been due for longer than this. Until then it may be moving.
inline constexpr qint64 overdueAfterMs = 30'000;

/// The fields that the library itself stores for a job besides its payload. A field that it does
/// not store is empty. Times are milliseconds since 1970 on the server's clock.
struct JobFacts
{
    QByteArray id;     ///< the library's job id; empty: the job has only a payload
    QByteArray name;   ///< the job's class or function; at most 128 bytes
    QByteArray worker; ///< the worker that has the job, as the library names it
    std::optional<qint64> enqueuedMs;
    /// The earliest time a worker could have taken the job before startedMs: when it was enqueued
    /// or due, whichever is later. Empty if that is not stored, as for a job that is retried.
    std::optional<qint64> readyMs;
    std::optional<qint64> startedMs;
    std::optional<qint64> finishedMs;
    std::optional<qint64> dueMs; ///< when a delayed job is due
    std::optional<qint64> attempts;
    std::optional<qint64> mostAttempts;
    QByteArray error;    ///< the last failure: its first line, at most 256 bytes
    QByteArray progress; ///< as stored, at most 64 bytes
    /// For a job in progress: whether the lock or heartbeat that its worker has to renew exists.
    /// Empty if the library has none, or if it was not read.
    std::optional<bool> leaseAlive;

    bool operator==(const JobFacts&) const = default;
};

/// One job of a queue. Its whole payload is read only when the user opens it.
struct QueueJob
{
    QByteArray preview; ///< at most 512 bytes of the payload
    qint64 size = 0;    ///< size of the whole payload, bytes
    quint64 fingerprint =
        0; ///< fingerprint of the job's id, or of its whole payload if it has no id
    std::optional<qint64> firstSeenMs; ///< when this console first saw it in processing
    QByteArray key = {};               ///< which of the queue's keys holds it
    JobFacts facts = {};
};

/// A hash that identifies a payload or an id.
quint64 fingerprintOf(const QByteArray& payload);

/// The job of that payload, held by that key.
QueueJob queueJobOf(const QByteArray& payload, const QByteArray& key);

/// One of the states that the jobs of a queue go through, by the library's own name.
struct JobState
{
    QByteArray name; ///< "in-progress", "waiting-children"
    JobRole role = JobRole::Ready;
    std::optional<qint64> count; ///< empty: unknown

    bool operator==(const JobState&) const = default;
};

/// A job as it was read.
struct StoredJob
{
    QByteArray key;
    QByteArray payload; ///< may be truncated if the caller asked for that; see size
    JobFacts facts = {};
    std::optional<qint64> size = {}; ///< size of the whole payload; empty: payload is complete
};
QueueJob queueJobOf(const StoredJob& job);

/// Selects a page of a queue's jobs.
struct JobQuery
{
    QByteArray state;  ///< JobState::name
    qint64 offset = 0; ///< how many jobs to skip
    qint64 limit = 50; ///< the most jobs to return; layouts lower it for large payloads

    bool operator==(const JobQuery&) const = default;
};

/// A job that is related to another job.
struct JobLink
{
    /// The role of the other job.
    enum class Relation : quint8 {
        Parent,   ///< waits for this one, or made it
        Child,    ///< this one waits for it, or made it
        WaitsFor, ///< this job is enqueued once the other has ended
        NeededBy, ///< the other is enqueued once this job has ended
        Group,    ///< not one job: all jobs that share that text with this one
    };
    Relation relation = Relation::Parent;
    QByteArray queue; ///< PrimitiveId::name of the queue that has it; empty: unknown
    QByteArray id;    ///< the job's id; for a group, the shared text
    QByteArray state; ///< the library's name of its state, "completed"; empty: unknown

    bool operator==(const JobLink&) const = default;
};
/// The most links of one relation that are read.
inline constexpr qint64 mostJobLinks = 50;

/// The details of one job, read when the user opens it.
struct JobDetail
{
    JobFacts facts;
    QByteArray payload; ///< the job's arguments; bounded
    bool payloadCut = false;
    QByteArray stack;  ///< stack trace of the last failure; bounded
    QByteArray result; ///< the job's return value; bounded
    /// Other stored fields, by the library's own names; bounded.
    std::vector<std::pair<QByteArray, QByteArray>> fields;
    std::vector<JobLink> links;   ///< sorted sorted by relation
    qint64 linksLeftOut = 0;      ///< number of further links that were not read
    std::optional<Error> problem; ///< why there is none
};

/// A process that takes jobs of a queue.
struct QueueWorker
{
    QByteArray name; ///< as the library names it
    QByteArray host;
    QByteArray process;               ///< its pid
    std::optional<bool> alive;        ///< empty: the library does not report it
    std::optional<qint64> lastSeenMs; ///< its last heartbeat, server time
    std::optional<qint64> jobs;       ///< number of jobs it works on

    bool operator==(const QueueWorker&) const = default;
};

/// Failed jobs that share a name and an error, among those that were read.
struct FailureGroup
{
    QByteArray error; ///< the first line
    QByteArray name;
    qint64 count = 0;
    std::optional<qint64> lastMs; ///< when the last of them failed

    bool operator==(const FailureGroup&) const = default;
};

/// The failed jobs of one queue in groups, as far as they have been counted.
struct FailuresCounted
{
    static constexpr size_t most = 200; ///< limit on groups

    Handle handle;
    std::vector<FailureGroup> groups; ///< the most frequent first
    qint64 furtherGroups = 0;         ///< number of groups beyond the limit
    qint64 counted = 0;               ///< failed jobs that were read
    qint64 total = 0;                 ///< failed jobs when it began
    bool underWay = false;
    std::optional<Error> problem; ///< why it ended early
};
using FailuresCountedPtr = std::shared_ptr<const FailuresCounted>;

/// The jobs of one state of one queue, those that come next first; bounded.
struct JobPage
{
    Handle handle;     ///< the queue's handle in its session
    QByteArray state;  ///< JobState::name
    qint64 offset = 0; ///< index of the first job in its state
    std::vector<QueueJob> jobs;
    qint64 bytes = 0;             ///< bytes received for reading them
    std::optional<Error> problem; ///< why there are none
};
using JobPagePtr = std::shared_ptr<const JobPage>;

/// One job that the user has opened.
struct OpenedJob
{
    Handle handle;
    QByteArray state;
    quint64 fingerprint = 0;
    JobDetail detail;
};
using OpenedJobPtr = std::shared_ptr<const OpenedJob>;

/// The results so far of a search through the jobs of one state.
struct JobsFound
{
    static constexpr size_t most = 1000; ///< limit on jobs

    Handle handle;
    QByteArray state; ///< JobState::name
    QString text;     ///< the search text
    std::vector<QueueJob> jobs;
    std::vector<qint64>
        places;       ///< index of each of these jobs in its state when it was read, from 0
    qint64 found = 0; ///< jobs may hold fewer
    qint64 scanned = 0;
    std::optional<qint64> total; ///< jobs of that state when it began
    bool underWay = false;
    bool more = false; ///< the search stopped before the end and can be continued
    std::optional<Error> problem;
};
using JobsFoundPtr = std::shared_ptr<const JobsFound>;

} // namespace lk
