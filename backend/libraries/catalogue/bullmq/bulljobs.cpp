// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/bullmq/bulljobs.h"

#include "backend/libraries/catalogue/bullmq/bullflows.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobqueue.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lk {

namespace {

// The fields of the hash. Older versions spell some of them out.
enum Field : size_t {
    Name,
    Timestamp,
    ProcessedOn,
    FinishedOn,
    FailedReason,
    Attempts,     // BullMQ 5 and later
    AttemptsMade, // Bull, BullMQ 4
    WorkerName,   // BullMQ 5 and later, where workers are named
    Options,
    Progress,
    FieldCount
};
constexpr const char* fieldNames[FieldCount] = {
    "name", "timestamp",    "processedOn", "finishedOn", "failedReason",
    "atm",  "attemptsMade", "pb",          "opts",       "progress"};
constexpr qsizetype nameBytes = 128;
constexpr qsizetype progressBytes = 64;
constexpr qint64 mostDetailBytes = 1024 * 1024;

// The fields that may be large, in the order in which a detail reads them.
constexpr const char* heavyFields[] = {"data", "stacktrace", "returnvalue"};
constexpr const char* lightFields[] = {"parentKey",      "delay", "priority", "ats", "stc",
                                       "stalledCounter", "defa",  "deid",     "rjk", "retriedOn"};

// The first replies of a detail: the sizes of the heavy fields, the facts, the lock, the light
// fields and the flow.
constexpr size_t flowsAt = std::size(heavyFields) + 3;
constexpr size_t detailReads = flowsAt + bullFlowReadCount;

std::optional<qint64> optionOf(const QJsonObject& options, const char* name)
{
    const QJsonValue value = options.value(QLatin1String(name));
    return value.isDouble() && value.toInteger() > 0 ? std::optional(value.toInteger())
                                                     : std::nullopt;
}

// A job's timestamp is that of its first enqueuing. The waiting time before a retry is unknown.
std::optional<qint64> readySince(const JobFacts& job, const QJsonObject& options)
{
    const qint64 firstTry = job.finishedMs ? 1 : 0;
    if (!job.enqueuedMs || job.attempts.value_or(0) > firstTry)
        return std::nullopt;
    return *job.enqueuedMs + optionOf(options, "delay").value_or(0);
}

// The score of a delayed job is its due time times 4096 plus a counter.
std::optional<qint64> dueOf(const QByteArray& score)
{
    const std::optional<double> value = scoreOf(score);
    return value && *value > 0 ? std::optional(qint64(*value / 4096)) : std::nullopt;
}

// The facts of a job whose hash no longer exists.
JobFacts bareJob(const QByteArray& id)
{
    JobFacts job;
    job.id = id;
    return job;
}

QueueWorker& workerNamed(std::vector<QueueWorker>& workers, const QByteArray& name)
{
    const auto known = std::find_if(workers.begin(), workers.end(),
                                    [&](const QueueWorker& w) { return w.name == name; });
    if (known != workers.end())
        return *known;
    workers.emplace_back().name = name;
    return workers.back();
}

QByteArray workerOf(const QByteArray& token)
{
    const qsizetype colon = token.lastIndexOf(':');
    return colon > 0 ? token.left(colon) : token;
}

} // namespace

QByteArray bullJobKey(const QByteArray& stem, const QByteArray& id)
{
    return stem + ':' + id;
}

Command bullJobRead(const QByteArray& stem, const QByteArray& id)
{
    Command command{"HMGET", bullJobKey(stem, id)};
    for (const char* field : fieldNames)
        command << field;
    return command;
}

Command bullLockRead(const QByteArray& stem, const QByteArray& id)
{
    return {"GET", bullJobKey(stem, id) + ":lock"};
}

std::optional<JobFacts> bullJobOf(const QByteArray& id, const Reply& fields, const Reply* lock)
{
    const bool any = std::any_of(fields.items.begin(), fields.items.end(),
                                 [](const Reply& item) { return item.isText(); });
    if (!any)
        return std::nullopt;
    JobFacts job;
    job.id = id;
    job.name = fieldText(fields, Name).left(nameBytes);
    job.enqueuedMs = timeMs(fieldText(fields, Timestamp));
    job.startedMs = timeMs(fieldText(fields, ProcessedOn));
    job.finishedMs = timeMs(fieldText(fields, FinishedOn));
    job.error = firstLine(fieldText(fields, FailedReason));
    const QByteArray attempts = fieldText(fields, Attempts);
    job.attempts = wholeNumber(attempts.isEmpty() ? fieldText(fields, AttemptsMade) : attempts);
    const QJsonObject options = QJsonDocument::fromJson(fieldText(fields, Options)).object();
    job.mostAttempts = optionOf(options, "attempts");
    job.readyMs = readySince(job, options);
    job.progress = fieldText(fields, Progress).left(progressBytes);
    job.worker = fieldText(fields, WorkerName);
    if (lock) {
        job.leaseAlive = lock->isText();
        if (job.worker.isEmpty() && lock->isText())
            job.worker = workerOf(lock->text);
    }
    return job;
}

std::vector<Command> bullJobReads(const QByteArray& stem, const BullState& state,
                                  const JobQuery& query, std::span<const Reply> replies)
{
    const QByteArray key = stem + ':' + state.name;
    const Command page = state.shape == BullState::Shape::List
                             ? listPageFromRight(key, query)
                             : sortedPage(key, query, state.shape == BullState::Shape::Newest);
    if (replies.empty())
        return {page};
    if (replies.size() > 1)
        return {};
    std::vector<Command> commands;
    for (const QByteArray& id : membersOf(page, replies[0])) {
        commands.push_back(bullJobRead(stem, id));
        commands.push_back({"HSTRLEN", bullJobKey(stem, id), "data"});
        if (state.role == JobRole::Processing)
            commands.push_back(bullLockRead(stem, id));
    }
    return commands;
}

std::vector<StoredJob> bullJobs(const QByteArray& stem, const BullState& state,
                                const JobQuery& query, std::span<const Reply> replies)
{
    std::vector<StoredJob> jobs;
    if (replies.empty())
        return jobs;
    const QByteArray key = stem + ':' + state.name;
    const Command page = bullJobReads(stem, state, query, {}).front();
    const size_t each = state.role == JobRole::Processing ? 3 : 2;
    size_t next = 1;
    size_t place = 0;
    for (const QByteArray& id : membersOf(page, replies[0])) {
        const size_t at = place++;
        if (next + each > replies.size())
            break;
        const Reply* lock = each == 3 ? &replies[next + 2] : nullptr;
        StoredJob job{key, {}};
        job.facts = bullJobOf(id, replies[next], lock).value_or(bareJob(id));
        job.size = countOf(replies[next + 1]);
        if (state.role == JobRole::Delayed && state.shape == BullState::Shape::Sorted)
            job.facts.dueMs = dueOf(replies[0].items[2 * at + 1].text);
        jobs.push_back(std::move(job));
        next += each;
    }
    return jobs;
}

std::vector<Command> bullJobDetailReads(const QByteArray& stem, const QByteArray& id,
                                        std::span<const Reply> replies)
{
    const QByteArray key = bullJobKey(stem, id);
    constexpr size_t lengths = std::size(heavyFields);
    if (replies.empty()) {
        std::vector<Command> commands;
        for (const char* field : heavyFields)
            commands.push_back({"HSTRLEN", key, field});
        commands.push_back(bullJobRead(stem, id));
        commands.push_back(bullLockRead(stem, id));
        Command light{"HMGET", key};
        for (const char* field : lightFields)
            light << field;
        commands.push_back(std::move(light));
        for (Command& command : bullFlowReads(stem, id))
            commands.push_back(std::move(command));
        return commands;
    }
    if (replies.size() != detailReads)
        return {};
    // A field that is too large is read as a field that no job has.
    Command heavy{"HMGET", key};
    for (size_t i = 0; i < lengths; ++i)
        heavy << (countOf(replies[i]) <= mostDetailBytes ? heavyFields[i] : "");
    std::vector<Command> commands{heavy};
    for (Command& command : bullFlowNameReads(stem, id, replies.subspan(flowsAt)))
        commands.push_back(std::move(command));
    return commands;
}

JobDetail bullJobDetail(const QByteArray& id, std::span<const Reply> replies)
{
    JobDetail detail;
    constexpr size_t lengths = std::size(heavyFields);
    if (replies.size() <= detailReads) {
        detail.problem = Error{ErrorCode::NotFound, {}};
        return detail;
    }
    const std::optional<JobFacts> facts = bullJobOf(id, replies[lengths], &replies[lengths + 1]);
    if (!facts) {
        detail.problem = Error{ErrorCode::NotFound, {}};
        return detail;
    }
    detail.facts = *facts;
    const Reply& light = replies[lengths + 2];
    for (size_t i = 0; i < std::size(lightFields); ++i) {
        if (const QByteArray value = fieldText(light, i); !value.isEmpty())
            detail.fields.emplace_back(lightFields[i], value);
    }
    addBullLinks(detail, fieldText(light, 0), replies.subspan(flowsAt, bullFlowReadCount),
                 replies.subspan(detailReads + 1));
    const Reply& heavy = replies[detailReads];
    detail.payload = fieldText(heavy, 0);
    detail.payloadCut = countOf(replies[0]) > mostDetailBytes;
    detail.stack = fieldText(heavy, 1);
    detail.result = fieldText(heavy, 2);
    return detail;
}

std::vector<Command> bullActiveReads(const QByteArray& stem, const QByteArray& id)
{
    return {bullJobRead(stem, id),
            bullLockRead(stem, id),
            {"HSTRLEN", bullJobKey(stem, id), heavyFields[0]}};
}

void takeActive(QueueState& queue, const QByteArray& key, const BullActive& active)
{
    constexpr size_t each = BullActive::each;
    for (size_t i = 0; i < active.before.size() && each * (i + 1) <= active.jobs.size(); ++i) {
        const QByteArray& id = active.before[i];
        if (std::find(active.after.begin(), active.after.end(), id) == active.after.end())
            continue; // it ended while it was read
        QueueJob item;
        item.key = key;
        item.fingerprint = fingerprintOf(id);
        item.facts =
            bullJobOf(id, active.jobs[each * i], &active.jobs[each * i + 1]).value_or(bareJob(id));
        item.facts.leaseAlive = active.jobs[each * i + 1].isText();
        item.size = countOf(active.jobs[each * i + 2]);
        queue.stuck += item.facts.leaseAlive == false ? 1 : 0;
        if (const QByteArray& name = item.facts.worker; !name.isEmpty()) {
            QueueWorker& worker = workerNamed(queue.workers, name);
            worker.jobs = worker.jobs.value_or(0) + 1;
            if (item.facts.leaseAlive == true)
                worker.alive = true;
        }
        queue.items.push_back(std::move(item));
    }
    queue.stuckByLibrary = true;
}

} // namespace lk
