// SPDX-License-Identifier: GPL-3.0-or-later
// What Kombu does with messages that were not acknowledged; see lua/actions/celery-jobs.lua.
#include "backend/actions/catalog/catalog.h"
#include "backend/actions/catalog/libraryjobs.h"
#include "backend/core/json/jsonedit.h"

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

Result<void> fill(Plan& plan, const LibraryMove& move, const Primitive& queue,
                  const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    const bool restores = move.verb == JobVerb::Requeue;
    plan.args = {restores ? "restore" : "drop"};
    plan.items.clear();
    for (const StoredJob& job : jobs) {
        // Which worker has it is not stored: as long as one may live, only age tells.
        if (restores && job.facts.leaseAlive != false)
            continue;
        plan.items.push_back(job.facts.id);
        const QByteArray tag = tagOf(job.payload);
        const std::optional<QByteArray> again = redelivered(job.payload);
        if (tag.isEmpty() || !again)
            return notPossible(ActionText::tr("The task is not among those that could be read"));
        plan.args.insert(plan.args.end(), {tag, job.payload, *again});
    }
    if (plan.items.empty())
        return notPossible(ActionText::tr(
            "A worker may still have these tasks; declare the visibility timeout as stuck_after "
            "to tell which are overdue"));
    plan.seen = plan.items;
    plan.objects = qint64(plan.items.size());
    const QByteArray& unacked = jobs.front().key;
    plan.keys = {unacked, unacked + "_index", queue.id.name};
    plan.commands = {shown({"ZREM", plan.keys[1], plan.args[1]}),
                     shown({"HDEL", unacked, plan.args[1]})};
    if (restores)
        plan.commands << shown({"RPUSH", queue.id.name, "•••"});
    plan.guard = ActionText::tr("each task is still unacknowledged");
    return {};
}

} // namespace

const Action& restoreCeleryTasks()
{
    static const LibraryJobs action(
        {JobVerb::Requeue, {"unacked"}, {JobRole::Processing}, "celery-jobs", nullptr, fill});
    return action;
}
const Action& discardCeleryTasks()
{
    static const LibraryJobs action({JobVerb::Discard,
                                     {"unacked", "eta"},
                                     {JobRole::Processing, JobRole::Delayed},
                                     "celery-jobs",
                                     nullptr,
                                     fill});
    return action;
}

} // namespace lk::actions
