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
constexpr size_t firstStep = 4; // for a list of taken tasks: tags, time, workers, listeners
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

// Selects the messages to read: those that are not too long, as many as fit.
std::vector<bool> chosenOf(std::span<const Reply> lengths)
{
    std::vector<bool> chosen;
    qint64 left = mostBytes;
    for (const Reply& reply : lengths) {
        const qint64 bytes = countOf(reply);
        chosen.push_back(bytes > 0 && bytes <= mostMessageBytes && bytes <= left);
        left -= chosen.back() ? bytes : 0;
    }
    return chosen;
}

bool isTaken(const QByteArray& state)
{
    return state == "unacked" || state == "eta";
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

std::vector<StoredJob> waitingJobs(const CeleryQueue& queue, const JobQuery& query,
                                   std::span<const Reply> replies)
{
    std::vector<StoredJob> jobs;
    const size_t lists = queue.lists.size();
    if (replies.size() < lists)
        return jobs;
    const std::vector<Command> pages = waitingPages(queue, query, replies.first(lists));
    for (size_t i = 0; i < pages.size() && lists + i < replies.size(); ++i) {
        for (const QByteArray& payload : membersOf(pages[i], replies[lists + i])) {
            std::optional<CeleryTask> task = celeryTaskOf(payload);
            jobs.push_back({pages[i].args()[1], payload, task ? task->facts : JobFacts()});
        }
    }
    return jobs;
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

std::vector<Command> unackedLengths(const CeleryQueue& queue, const Reply& tags)
{
    std::vector<Command> commands;
    for (const ScoredMember& tag : scoredMembersOf(tags))
        commands.push_back({"HSTRLEN", queue.unacked(), tag.member});
    return commands;
}

std::vector<Command> unackedMessages(const CeleryQueue& queue, const Reply& tags,
                                     std::span<const Reply> lengths)
{
    const std::vector<ScoredMember> all = scoredMembersOf(tags);
    const std::vector<bool> chosen = chosenOf(lengths);
    Command command{"HMGET", queue.unacked()};
    bool any = false;
    for (size_t i = 0; i < all.size() && i < chosen.size(); ++i) {
        if (chosen[i]) {
            command << all[i].member;
            any = true;
        }
    }
    return any ? std::vector{std::move(command)} : std::vector<Command>();
}

std::vector<UnackedTask> unackedTasks(const Reply& tags, std::span<const Reply> lengths,
                                      const Reply* messages)
{
    std::vector<UnackedTask> tasks;
    const std::vector<bool> chosen = chosenOf(lengths);
    size_t message = 0;
    for (const ScoredMember& tag : scoredMembersOf(tags)) {
        const size_t at = tasks.size();
        UnackedTask task{tag.member, tag.score, std::nullopt, false};
        if (at < chosen.size() && chosen[at] && messages) {
            const QByteArray value = fieldText(*messages, message++);
            task.task = unackedTaskOf(value);
        } else {
            task.unread = at < lengths.size() && countOf(lengths[at]) > 0;
        }
        tasks.push_back(std::move(task));
    }
    return tasks;
}

std::vector<Command> celeryJobReads(const CeleryQueue& queue, const JobQuery& query,
                                    std::span<const Reply> replies)
{
    if (query.state == "waiting") {
        if (replies.empty()) {
            std::vector<Command> lengths;
            for (const QByteArray& list : queue.lists)
                lengths.push_back({"LLEN", list});
            return lengths;
        }
        return replies.size() == queue.lists.size() ? waitingPages(queue, query, replies)
                                                    : std::vector<Command>();
    }
    if (!isTaken(query.state))
        return {};
    if (replies.empty()) {
        std::vector<Command> first{unackedTags(queue), {"TIME"}};
        for (Command& command : celeryWorkerReads(queue.prefix))
            first.push_back(std::move(command));
        return first;
    }
    const size_t tags = replies[0].items.size() / 2;
    if (replies.size() == firstStep)
        return unackedLengths(queue, replies[0]);
    return replies.size() == firstStep + tags
               ? unackedMessages(queue, replies[0], replies.subspan(firstStep))
               : std::vector<Command>();
}

std::vector<StoredJob> celeryJobs(const CeleryQueue& queue, const JobQuery& query,
                                  std::span<const Reply> replies)
{
    if (query.state == "waiting")
        return waitingJobs(queue, query, replies);
    std::vector<StoredJob> jobs;
    const size_t tags = replies.empty() ? 0 : replies[0].items.size() / 2;
    if (!isTaken(query.state) || tags == 0 || replies.size() < firstStep + tags + 1)
        return jobs;
    const std::optional<qint64> nowMs = serverTimeMs(replies[1]);
    const CeleryWorkers workers = celeryWorkersOf(replies[2], replies[3]);
    for (UnackedTask& taken :
         unackedTasks(replies[0], replies.subspan(firstStep, tags), &replies[firstStep + tags])) {
        if (!taken.task || !queue.isOurs(*taken.task))
            continue;
        const bool later = taken.task->facts.dueMs.has_value();
        if (later != (query.state == "eta"))
            continue;
        StoredJob job{queue.unacked(), taken.task->payload, std::move(taken.task->facts)};
        if (!later)
            job.facts.startedMs = qint64(taken.deliveredS * 1000);
        const bool overdue =
            queue.visibleMs && nowMs && *nowMs - qint64(taken.deliveredS * 1000) > *queue.visibleMs;
        if (workers.nobodyListens || overdue)
            job.facts.leaseAlive = false;
        jobs.push_back(std::move(job));
    }
    const auto size = qint64(jobs.size());
    const qint64 from = std::clamp<qint64>(query.offset, 0, size);
    const qint64 to = std::clamp<qint64>(from + query.limit, from, size);
    return {std::make_move_iterator(jobs.begin() + from),
            std::make_move_iterator(jobs.begin() + to)};
}

} // namespace lk
