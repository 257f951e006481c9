// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/celery/celeryjobs.h"

#include "backend/core/json/jsonedit.h"
#include "backend/libraries/catalogue/celery/celeryworkers.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobtexts.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace lk {

namespace {

constexpr qsizetype celeryJobsNameBytes = 128;
constexpr qint64 tagsRead = 200;
constexpr qint64 mostMessageBytes = 64 * 1024;
constexpr qint64 mostBytes = 512 * 1024; // of all messages of one read

std::optional<CeleryTask> taskOf(const QJsonObject& message)
{
    const QJsonObject headers = message.value(QLatin1String("headers")).toObject();
    const QJsonObject properties = message.value(QLatin1String("properties")).toObject();
    const QJsonObject delivery = properties.value(QLatin1String("delivery_info")).toObject();
    if (jsonText(properties, "delivery_tag").isEmpty() ||
        !message.contains(QLatin1String("body")) ||
        !message.value(QLatin1String("headers")).isObject())
        return std::nullopt;
    CeleryTask task;
    task.facts.id = jsonText(headers, "id");
    if (task.facts.id.isEmpty())
        task.facts.id = jsonText(properties, "correlation_id");
    task.facts.name = jsonText(headers, "task").left(celeryJobsNameBytes);
    if (const QJsonValue retries = headers.value(QLatin1String("retries")); retries.isDouble())
        task.facts.attempts = retries.toInteger();
    task.facts.dueMs = isoTimeMs(jsonText(headers, "eta"));
    task.exchange = jsonText(delivery, "exchange");
    task.routingKey = jsonText(delivery, "routing_key");
    task.priority = jsonText(properties, "priority");
    return task;
}

// A page over several lists, in the order of their priorities.
std::vector<Command> waitingPages(const CeleryQueue& queue, const JobQuery& query,
                                  std::span<const Reply> lengths)
{
    std::vector<Command> commands;
    JobQuery part = query;
    for (size_t i = 0; i < queue.lists.size() && part.limit > 0; ++i) {
        const qint64 length = countOf(lengths[i]);
        const qint64 from = std::min(part.offset, length);
        part.offset -= from;
        const qint64 count = std::min(part.limit, length - from);
        if (count <= 0)
            continue;
        JobQuery here = query;
        here.offset = from;
        here.limit = count;
        commands.push_back(listPageFromRight(queue.lists[i], here));
        part.limit -= count;
    }
    return commands;
}

Read<std::vector<StoredJob>> readWaiting(CeleryQueue queue, JobQuery query)
{
    std::vector<Command> lengths;
    for (const QByteArray& list : queue.lists)
        lengths.push_back({"LLEN", list});
    const std::vector<Reply> counted = co_await ask(std::move(lengths));
    const std::vector<Command> pages = waitingPages(queue, query, counted);
    const std::vector<Reply> listed = co_await ask(pages);
    std::vector<StoredJob> jobs;
    for (size_t i = 0; i < pages.size(); ++i) {
        for (const QByteArray& payload : membersOf(pages[i], listed[i])) {
            std::optional<CeleryTask> task = celeryTaskOf(payload);
            jobs.push_back({pages[i].args()[1], payload, task ? task->facts : JobFacts()});
        }
    }
    co_return jobs;
}

Read<std::vector<StoredJob>> readTaken(CeleryQueue queue, JobQuery query)
{
    std::vector<Command> first = celeryWorkerReads(queue.prefix);
    first.push_back(unackedTags(queue));
    first.push_back({"TIME"});
    const std::vector<Reply> replies = co_await ask(std::move(first));
    const CeleryWorkers workers = celeryWorkersOf(replies[0], replies[1]);
    const std::optional<qint64> nowMs = serverTimeMs(replies[3]);
    std::vector<UnackedTask> tasks = co_await readUnacked(queue, scoredMembersOf(replies[2]));
    std::vector<StoredJob> jobs;
    for (UnackedTask& taken : tasks) {
        if (!taken.task || !queue.isOurs(*taken.task))
            continue;
        const bool later = taken.task->facts.dueMs.has_value();
        if (later != (query.state == "eta"))
            continue;
        const qint64 deliveredMs = qint64(taken.deliveredS * 1000);
        StoredJob job{queue.unacked(), taken.task->payload, std::move(taken.task->facts)};
        if (!later)
            job.facts.startedMs = deliveredMs;
        const bool overdue = queue.visibleMs && nowMs && *nowMs - deliveredMs > *queue.visibleMs;
        if (workers.nobodyListens || overdue)
            job.facts.leaseAlive = false;
        jobs.push_back(std::move(job));
    }
    cutToPage(jobs, query);
    co_return jobs;
}

} // namespace

std::optional<CeleryTask> celeryTaskOf(const QByteArray& message)
{
    std::optional<CeleryTask> task = taskOf(jsonObject(message));
    if (task)
        task->payload = message;
    return task;
}

std::optional<CeleryTask> unackedTaskOf(const QByteArray& value)
{
    if (!value.startsWith('[') || value.size() > mostMessageBytes)
        return std::nullopt;
    const QJsonArray parts = QJsonDocument::fromJson(value).array();
    if (parts.size() != 3)
        return std::nullopt;
    std::optional<CeleryTask> task = taskOf(parts[0].toObject());
    if (task) {
        task->exchange = parts[1].toString().toUtf8();
        task->routingKey = parts[2].toString().toUtf8();
        const std::optional<qsizetype> end = jsonValueEnd(value, 1);
        task->payload = value.mid(1, end.value_or(1) - 1);
    }
    return task;
}

bool CeleryQueue::isOurs(const CeleryTask& task) const
{
    return task.routingKey == queue || (!task.exchange.isEmpty() && task.exchange == queue);
}

Command unackedTags(const CeleryQueue& queue)
{
    return {"ZRANGE", queue.index(), "0", QByteArray::number(tagsRead - 1), "WITHSCORES"};
}

Read<std::vector<UnackedTask>> readUnacked(CeleryQueue queue, std::vector<ScoredMember> tags)
{
    std::vector<Command> lengths;
    for (const ScoredMember& tag : tags)
        lengths.push_back({"HSTRLEN", queue.unacked(), tag.member});
    const std::vector<Reply> sizes = co_await ask(std::move(lengths));
    std::vector<UnackedTask> tasks;
    std::vector<size_t> chosen;
    Command fields{"HMGET", queue.unacked()};
    qint64 left = mostBytes;
    for (size_t i = 0; i < tags.size(); ++i) {
        const qint64 bytes = countOf(sizes[i]);
        const bool fits = bytes > 0 && bytes <= mostMessageBytes && bytes <= left;
        tasks.push_back({tags[i].score, std::nullopt, bytes > 0 && !fits});
        if (!fits)
            continue;
        left -= bytes;
        chosen.push_back(i);
        fields << tags[i].member;
    }
    const std::vector<Command> messages(chosen.empty() ? 0 : 1, fields);
    const std::vector<Reply> values = co_await ask(messages);
    for (size_t i = 0; i < chosen.size(); ++i)
        tasks[chosen[i]].task = unackedTaskOf(fieldText(values[0], i));
    co_return tasks;
}

Read<std::vector<StoredJob>> readCeleryJobs(CeleryQueue queue, JobQuery query)
{
    std::vector<StoredJob> jobs;
    if (query.state == "waiting")
        jobs = co_await readWaiting(queue, query);
    else if (query.state == "unacked" || query.state == "eta")
        jobs = co_await readTaken(queue, query);
    co_return jobs;
}

} // namespace lk
