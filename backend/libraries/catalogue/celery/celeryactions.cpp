// SPDX-License-Identifier: GPL-3.0-or-later
// Kombu's actions on unacknowledged messages; see lua/actions/celery/celery-jobs.lua.
#include "backend/libraries/catalogue/celery/celeryactions.h"

#include "backend/core/json/jsonedit.h"
#include "backend/core/names/keyname.h"
#include "backend/libraries/catalogue/celery/celeryjobs.h"
#include "backend/libraries/catalogue/celery/celerynames.h"
#include "backend/libraries/families/jobs/jobtexts.h"
#include "backend/libraries/families/jobs/libraryjobs.h"
#include "backend/libraries/families/jobs/pushjob.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lk::actions {

namespace {

// The message as Kombu queues it again.
std::optional<QByteArray> redelivered(const QByteArray& message)
{
    const std::optional<QByteArray> marked =
        withJsonMember(message, {"headers", "redelivered"}, "true");
    return marked ? withJsonMember(*marked, {"properties", "delivery_info", "redelivered"}, "true")
                  : std::nullopt;
}

// The tag under which a worker holds it, without its quotes.
QByteArray tagOf(const QByteArray& message)
{
    const QByteArray tag =
        jsonMember(jsonMember(message, "properties").value_or(QByteArray()), "delivery_tag")
            .value_or(QByteArray());
    return tag.startsWith('"') && tag.size() > 2 ? tag.mid(1, tag.size() - 2) : QByteArray();
}

constexpr qsizetype mostBindings = 1000;

// The queues that its exchange routes it to.
std::vector<Command> celeryBindings(const Primitive&, const StoredJob& job,
                                    std::span<const Reply> replies)
{
    if (!replies.empty())
        return {};
    const QByteArray prefix = kombuUnackedOf(job.key).prefix;
    const QByteArray exchange = celeryTaskOf(job.payload).value_or(CeleryTask()).exchange;
    return {{"SSCAN", prefix + "_kombu.binding." + exchange, "0", "COUNT",
             QByteArray::number(mostBindings)}};
}

// Kombu finds them by name for the unnamed exchange, else by the bindings.
std::vector<QByteArray> routeOf(const CeleryTask& task, const Reply& bindings)
{
    if (task.exchange.isEmpty())
        return task.routingKey.isEmpty() ? std::vector<QByteArray>() : std::vector{task.routingKey};
    std::vector<QByteArray> queues;
    if (bindings.items.size() < 2)
        return queues;
    for (const Reply& member : bindings.items[1].items) {
        const QByteArray queue = kombuQueueBoundBy(member.text, task.routingKey);
        if (!queue.isEmpty() && std::find(queues.begin(), queues.end(), queue) == queues.end())
            queues.push_back(queue);
    }
    return queues;
}

QString celeryObjection(const Primitive&, JobVerb verb, const StoredJob& job,
                        std::span<const Reply> replies)
{
    const std::optional<CeleryTask> task = celeryTaskOf(job.payload);
    if (!task || tagOf(job.payload).isEmpty() || !redelivered(job.payload))
        return ActionText::tr("The task is not among those that could be read");
    if (verb != JobVerb::Requeue)
        return {};
    // The worker of a task is not stored. While a worker may live, only the task's age is evidence.
    if (job.facts.leaseAlive != false)
        return ActionText::tr(
            "A worker may still have the task; declare the visibility timeout as stuck_after to "
            "tell which are overdue");
    if (routeOf(*task, replies[0]).empty())
        return ActionText::tr("The exchange %1 routes %2 to no queue, so that the task would be "
                              "lost; a worker that starts binds its queues")
            .arg(displayPreview(task->exchange, 40), displayPreview(task->routingKey, 40));
    return {};
}

// Returns the positions in KEYS of the lists to which the task returns, one per queue of its route.
QByteArray listsOf(Plan& plan, const Primitive& queue, const StoredJob& job, const Reply& bindings)
{
    QByteArrayList places;
    const std::optional<CeleryTask> task = celeryTaskOf(job.payload);
    const QByteArray prefix = kombuUnackedOf(job.key).prefix;
    for (const QByteArray& name : routeOf(*task, bindings)) {
        const QByteArray list =
            kombuListOf(prefix + name, task->priority.toInt(), queue.id.name, queue.keys);
        auto at = std::find(plan.keys.begin(), plan.keys.end(), list);
        if (at == plan.keys.end())
            at = plan.keys.insert(at, list);
        places << QByteArray::number(at - plan.keys.begin() + 1);
    }
    return places.join(' ');
}

Result<void> fillCelery(Plan& plan, const LibraryMove& move, const Primitive& queue,
                        const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    const bool restores = move.verb == JobVerb::Requeue;
    const QByteArray& unacked = jobs.front().key;
    plan.keys = {unacked, unacked + "_index"};
    plan.args = {restores ? "restore" : "drop"};
    for (size_t i = 0; i < jobs.size(); ++i) {
        const QByteArray& message = jobs[i].payload;
        plan.args.insert(
            plan.args.end(),
            {tagOf(message), message, redelivered(message).value_or(message),
             restores ? listsOf(plan, queue, jobs[i], move.told[i][0]) : QByteArray()});
    }
    plan.commands = {shown({"ZREM", plan.keys[1], plan.args[1]}),
                     shown({"HDEL", unacked, plan.args[1]})};
    for (size_t i = 2; i < plan.keys.size(); ++i)
        plan.commands << shown({"RPUSH", plan.keys[i], "•••"});
    plan.guard = ActionText::tr("each task is still unacknowledged");
    return {};
}

LibraryMove celeryMove(JobVerb verb, std::vector<QByteArray> states, std::vector<JobRole> roles)
{
    LibraryMove move{verb, std::move(states), std::move(roles), "celery-jobs", nullptr, fillCelery};
    move.ofJob = celeryBindings;
    move.objection = celeryObjection;
    move.lastFirst = verb == JobVerb::Requeue;
    return move;
}

Result<void> fillCeleryPush(Plan& plan, const Primitive& queue, const PushedJob& job,
                            std::span<const Reply>)
{
    const CallArguments given = callOf(job.payload);
    const QJsonValue none;
    const QJsonObject embed{{QStringLiteral("callbacks"), none},
                            {QStringLiteral("errbacks"), none},
                            {QStringLiteral("chain"), none},
                            {QStringLiteral("chord"), none}};
    const QByteArray body = compact(QJsonArray{given.args, given.kwargs, embed});
    const QString id = QString::fromLatin1(job.id);
    const QJsonObject headers{
        {QStringLiteral("lang"), QStringLiteral("py")},
        {QStringLiteral("task"), QString::fromUtf8(job.name)},
        {QStringLiteral("id"), id},
        {QStringLiteral("shadow"), none},
        {QStringLiteral("eta"), none},
        {QStringLiteral("expires"), none},
        {QStringLiteral("group"), none},
        {QStringLiteral("group_index"), none},
        {QStringLiteral("retries"), 0},
        {QStringLiteral("timelimit"), QJsonArray{none, none}},
        {QStringLiteral("root_id"), id},
        {QStringLiteral("parent_id"), none},
        {QStringLiteral("argsrepr"), QString::fromUtf8(compact(given.args))},
        {QStringLiteral("kwargsrepr"), QString::fromUtf8(compact(given.kwargs))},
        {QStringLiteral("origin"), QStringLiteral("lockkeeper")}};
    const QJsonObject delivery{{QStringLiteral("exchange"), QString()},
                               {QStringLiteral("routing_key"), QString::fromUtf8(queue.name())}};
    const QJsonObject properties{{QStringLiteral("correlation_id"), id},
                                 {QStringLiteral("reply_to"), id},
                                 {QStringLiteral("delivery_mode"), 2},
                                 {QStringLiteral("delivery_info"), delivery},
                                 {QStringLiteral("priority"), 0},
                                 {QStringLiteral("body_encoding"), QStringLiteral("base64")},
                                 {QStringLiteral("delivery_tag"), id}};
    const QByteArray message =
        compact(QJsonObject{{QStringLiteral("body"), QString::fromLatin1(body.toBase64())},
                            {QStringLiteral("content-encoding"), QStringLiteral("utf-8")},
                            {QStringLiteral("content-type"), QStringLiteral("application/json")},
                            {QStringLiteral("headers"), headers},
                            {QStringLiteral("properties"), properties}});
    fillPush(plan, "LPUSH", queue.id.name, message, {});
    return {};
}

} // namespace

ActionList celeryActions()
{
    static const LibraryJobs requeue(
        celeryMove(JobVerb::Requeue, {"unacked"}, {JobRole::Processing}));
    static const LibraryJobs discard(
        celeryMove(JobVerb::Discard, {"unacked", "eta"}, {JobRole::Processing, JobRole::Delayed}));
    static const PushJob push({PushForm::Arguments, "job-push", nullptr, fillCeleryPush});
    return {&requeue, &discard, &push};
}

} // namespace lk::actions
