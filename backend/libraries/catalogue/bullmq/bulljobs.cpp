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

// The fields that may be large, in the order in which a detail reads them.
constexpr const char* heavyFields[] = {"data", "stacktrace", "returnvalue"};
constexpr const char* parentField = "parentKey"; // the first of lightFields
constexpr const char* lightFields[] = {parentField,      "delay", "priority", "ats", "stc",
                                       "stalledCounter", "defa",  "deid",     "rjk", "retriedOn"};

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

Read<std::vector<std::optional<JobFacts>>> readBullFacts(QByteArray stem,
                                                         std::vector<QByteArray> ids)
{
    std::vector<Command> commands;
    for (const QByteArray& id : ids)
        commands.push_back(bullJobRead(stem, id));
    const std::vector<Reply> replies = co_await ask(std::move(commands));
    std::vector<std::optional<JobFacts>> facts;
    for (size_t i = 0; i < ids.size(); ++i)
        facts.push_back(bullJobOf(ids[i], replies[i], nullptr));
    co_return facts;
}

Read<std::vector<QueueJob>> readBullActive(QByteArray stem, std::vector<QByteArray> ids)
{
    std::vector<QueueJob> active;
    if (ids.empty())
        co_return active;
    std::vector<Command> commands;
    for (const QByteArray& id : ids) {
        commands.push_back(bullJobRead(stem, id));
        commands.push_back(bullLockRead(stem, id));
        commands.push_back({"HSTRLEN", bullJobKey(stem, id), "data"});
    }
    commands.push_back({"LRANGE", stem + ":active", QByteArray::number(-jobsInProgressRead), "-1"});
    const std::vector<Reply> replies = co_await ask(std::move(commands));
    const std::vector<Reply>& after = replies.back().items;
    for (size_t i = 0; i < ids.size(); ++i) {
        const auto isThis = [&](const Reply& id) { return id.text == ids[i]; };
        if (std::none_of(after.begin(), after.end(), isThis))
            continue; // it ended while it was read
        const Reply& lock = replies[3 * i + 1];
        QueueJob item;
        item.key = stem + ":active";
        item.fingerprint = fingerprintOf(ids[i]);
        item.facts = bullJobOf(ids[i], replies[3 * i], &lock).value_or(bareJob(ids[i]));
        item.facts.leaseAlive = lock.isText();
        item.size = countOf(replies[3 * i + 2]);
        active.push_back(std::move(item));
    }
    co_return active;
}

Read<std::vector<StoredJob>> readBullJobs(QByteArray stem, BullState state, JobQuery query)
{
    const QByteArray key = stem + ':' + state.name;
    const bool isList = state.shape == BullState::Shape::List;
    const Command page = isList ? listPageFromRight(key, query)
                                : sortedPage(key, query, state.shape == BullState::Shape::Newest);
    const std::vector<Command> first(1, page);
    const std::vector<Reply> listed = co_await ask(first);
    const std::vector<QByteArray> ids = membersOf(page, listed[0]);
    const bool isActive = state.role == JobRole::Processing;
    std::vector<Command> commands;
    for (const QByteArray& id : ids) {
        commands.push_back(bullJobRead(stem, id));
        commands.push_back({"HSTRLEN", bullJobKey(stem, id), "data"});
        if (isActive)
            commands.push_back(bullLockRead(stem, id));
    }
    const std::vector<Reply> replies = co_await ask(std::move(commands));
    const size_t each = isActive ? 3 : 2;
    std::vector<StoredJob> jobs;
    for (size_t i = 0; i < ids.size(); ++i) {
        const Reply* own = &replies[each * i];
        StoredJob job{key, {}};
        job.facts =
            bullJobOf(ids[i], own[0], isActive ? &own[2] : nullptr).value_or(bareJob(ids[i]));
        job.size = countOf(own[1]);
        if (state.role == JobRole::Delayed && !isList)
            job.facts.dueMs = dueOf(listed[0].items[2 * i + 1].text);
        jobs.push_back(std::move(job));
    }
    co_return jobs;
}

Read<JobDetail> readBullJob(QByteArray stem, QByteArray id)
{
    JobDetail detail;
    const std::vector<Command> first{bullJobRead(stem, id), bullLockRead(stem, id)};
    const std::vector<Reply> replies = co_await ask(first);
    std::optional<JobFacts> facts = bullJobOf(id, replies[0], &replies[1]);
    if (!facts) {
        detail.problem = Error{ErrorCode::NotFound, {}};
        co_return detail;
    }
    auto [fields, children] = co_await together(
        readHashFields(bullJobKey(stem, id), lightFields, heavyFields), readBullChildren(stem, id));
    detail.facts = std::move(*facts);
    if (!fields.light.empty() && fields.light.front().first == parentField) {
        if (auto parent = bullParentOf(fields.light.front().second))
            detail.links.push_back(std::move(*parent));
    }
    detail.fields = std::move(fields.light);
    detail.links.insert(detail.links.end(), children.links.begin(), children.links.end());
    detail.linksLeftOut = children.leftOut;
    detail.payload = fields.heavy[0];
    detail.payloadCut = fields.sizes[0] > largestHeavyField;
    detail.stack = fields.heavy[1];
    detail.result = fields.heavy[2];
    co_return detail;
}

void addActive(QueueState& queue, std::vector<QueueJob> active)
{
    for (QueueJob& item : active) {
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
