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

/// What the jobs of a state have in common: how a state counts towards its queue.
enum class JobRole : quint8 { Ready, Processing, Delayed, Dead, Done, Paused };
inline constexpr std::array allJobRoles{JobRole::Ready, JobRole::Processing, JobRole::Delayed,
                                        JobRole::Dead,  JobRole::Done,       JobRole::Paused};
QByteArray jobRoleId(JobRole role); ///< as in the JSON: "ready"

/// A job that is due for longer is overdue: until then it may be on its way.
inline constexpr qint64 overdueAfterMs = 30'000;

/// What the library itself keeps of a job besides its payload; what it does not keep is empty.
/// Times are milliseconds of the server's clock since 1970.
struct JobFacts
{
    QByteArray id;     ///< the library's own; empty: the payload is all there is
    QByteArray name;   ///< the job's class or function; at most 128 bytes
    QByteArray worker; ///< who has it, as the library names its workers
    std::optional<qint64> enqueuedMs;
    /// Since when a worker could have taken it before startedMs: enqueued, or due, whichever is
    /// later. Empty where that is not stored, as of a job that is tried again.
    std::optional<qint64> readyMs;
    std::optional<qint64> startedMs;
    std::optional<qint64> finishedMs;
    std::optional<qint64> dueMs; ///< of a delayed job
    std::optional<qint64> attempts;
    std::optional<qint64> mostAttempts;
    QByteArray error;    ///< why it failed the last time: the first line, at most 256 bytes
    QByteArray progress; ///< as stored, at most 64 bytes
    /// In progress: whether what its worker has to renew, its lock or heartbeat, is there. Empty:
    /// the library has no such thing, or it was not read.
    std::optional<bool> leaseAlive;

    bool operator==(const JobFacts&) const = default;
};

/// One job of a queue. Its whole payload is read only where a person asks to see it.
struct QueueJob
{
    QByteArray preview;                ///< at most 512 bytes of the payload
    qint64 size = 0;                   ///< of the whole payload, bytes
    quint64 fingerprint = 0;           ///< of the job's id; of its whole payload where it has none
    std::optional<qint64> firstSeenMs; ///< when this console first saw it in processing
    QByteArray key = {};               ///< which of the queue's keys holds it
    JobFacts facts = {};
};

/// Tells one payload or id from another.
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
    QByteArray payload; ///< may be cut where it was asked to be; see size
    JobFacts facts = {};
    std::optional<qint64> size = {}; ///< of the whole payload; empty: payload is whole
};
QueueJob queueJobOf(const StoredJob& job);

/// Which jobs of a queue are asked for.
struct JobQuery
{
    QByteArray state;  ///< JobState::name
    qint64 offset = 0; ///< so many that come before are left out
    qint64 limit = 50; ///< so many at most; what weighs much is cut further by the layout

    bool operator==(const JobQuery&) const = default;
};

/// Another job that one has to do with.
struct JobLink
{
    /// What the other job is to this one.
    enum class Relation : quint8 {
        Parent,   ///< waits for this one, or made it
        Child,    ///< this one waits for it, or made it
        WaitsFor, ///< this one is enqueued once that has ended
        NeededBy, ///< that is enqueued once this one has ended
        Group,    ///< not one job: those that have that text in common with this one
    };
    Relation relation = Relation::Parent;
    QByteArray queue; ///< PrimitiveId::name of the queue that has it; empty: not told
    QByteArray id;    ///< of the job; of a group, the text
    QByteArray state; ///< what the library says of it: "completed"; empty: nothing

    bool operator==(const JobLink&) const = default;
};
/// So many links of one relation are read at most.
inline constexpr qint64 mostJobLinks = 50;

/// Everything that a person may want to know of one job, read when it is opened.
struct JobDetail
{
    JobFacts facts;
    QByteArray payload; ///< what the job was given; bounded
    bool payloadCut = false;
    QByteArray stack;  ///< of the last failure; bounded
    QByteArray result; ///< what it returned; bounded
    /// What else is stored, by the library's own field names; bounded.
    std::vector<std::pair<QByteArray, QByteArray>> fields;
    std::vector<JobLink> links;   ///< by relation
    qint64 linksLeftOut = 0;      ///< further ones that were not read
    std::optional<Error> problem; ///< why there is none
};

/// A process that takes jobs of a queue.
struct QueueWorker
{
    QByteArray name; ///< as the library names it
    QByteArray host;
    QByteArray process;               ///< its pid
    std::optional<bool> alive;        ///< empty: the library does not tell
    std::optional<qint64> lastSeenMs; ///< its last heartbeat, server time
    std::optional<qint64> jobs;       ///< that it works on

    bool operator==(const QueueWorker&) const = default;
};

/// Failed jobs of one name with one error, of those that were looked at.
struct FailureGroup
{
    QByteArray error; ///< the first line
    QByteArray name;
    qint64 count = 0;
    std::optional<qint64> lastMs; ///< when the last of them failed

    bool operator==(const FailureGroup&) const = default;
};

/// The failed jobs of one queue in groups, as far as they were counted.
struct FailuresCounted
{
    static constexpr size_t most = 200; ///< of groups

    Handle handle;
    std::vector<FailureGroup> groups; ///< the most frequent first
    qint64 furtherGroups = 0;         ///< those that groups leaves out
    qint64 counted = 0;               ///< failed jobs that were looked at
    qint64 total = 0;                 ///< failed jobs when it began
    bool underWay = false;
    std::optional<Error> problem; ///< why it ended early
};
using FailuresCountedPtr = std::shared_ptr<const FailuresCounted>;

/// The jobs of one state of one queue, those that come next first; bounded.
struct JobPage
{
    Handle handle;     ///< of the queue in its session
    QByteArray state;  ///< JobState::name
    qint64 offset = 0; ///< of the first in its state
    std::vector<QueueJob> jobs;
    qint64 bytes = 0;             ///< what reading them brought
    std::optional<Error> problem; ///< why there are none
};
using JobPagePtr = std::shared_ptr<const JobPage>;

/// One job as a person opened it.
struct OpenedJob
{
    Handle handle;
    QByteArray state;
    quint64 fingerprint = 0;
    JobDetail detail;
};
using OpenedJobPtr = std::shared_ptr<const OpenedJob>;

/// What a search through the jobs of one state has found so far.
struct JobsFound
{
    static constexpr size_t most = 1000; ///< of jobs

    Handle handle;
    QByteArray state; ///< JobState::name
    QString text;     ///< what was typed
    std::vector<QueueJob> jobs;
    std::vector<qint64> places; ///< of these jobs in their state when they were read, from 0
    qint64 found = 0;           ///< jobs may hold fewer
    qint64 scanned = 0;
    std::optional<qint64> total; ///< jobs of that state when it began
    bool underWay = false;
    bool more = false; ///< it stopped before the end, and can go on
    std::optional<Error> problem;
};
using JobsFoundPtr = std::shared_ptr<const JobsFound>;

} // namespace lk
