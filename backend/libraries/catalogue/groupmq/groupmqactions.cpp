// SPDX-License-Identifier: GPL-3.0-or-later
// GroupMQ's actions on jobs and queues; see lua/actions/groupmq/groupmq-jobs.lua.
#include "backend/libraries/catalogue/groupmq/groupmqactions.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/libraryjobs.h"

#include <algorithm>

namespace lk::actions {

namespace {

// Reads whether a job holds its group: its fields, its deadline and the group's active jobs.
enum OfHolder : size_t { Fields, Deadline, ActiveOfGroup };
std::vector<Command> ofHolder(const Primitive& queue, const StoredJob& job,
                              std::span<const Reply> replies)
{
    const QByteArray stem = queue.id.name + ':';
    if (replies.empty())
        return {{"HMGET", stem + "job:" + job.facts.id, "groupId", "status"},
                {"ZSCORE", stem + "processing", job.facts.id}};
    if (replies.size() == ActiveOfGroup)
        return {{"LRANGE", stem + "g:" + fieldText(replies[Fields], 0) + ":active", "0", "999"}};
    return {};
}

// A job without a worker may still hold its group if its worker died between two writes.
QString holderObjection(const Primitive&, JobVerb, const StoredJob& job,
                        std::span<const Reply> replies)
{
    const QString id = displayPreview(job.facts.id, 40);
    const QByteArray group = fieldText(replies[Fields], 0);
    const auto& active = replies[ActiveOfGroup].items;
    const bool holds = std::any_of(active.begin(), active.end(),
                                   [&](const Reply& item) { return item.text == job.facts.id; });
    if (group.isEmpty())
        return ActionText::tr("Job %1 has no data").arg(id);
    if (!replies[Deadline].isText() && !holds)
        return ActionText::tr("No worker has job %1, and it does not hold its group %2 (%3)")
            .arg(id, displayPreview(group, 40), displayPreview(fieldText(replies[Fields], 1), 20));
    return {};
}

Result<void> fillJobs(Plan& plan, const LibraryMove& move, const Primitive& queue,
                      const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    const QByteArray stem = queue.id.name + ':';
    for (const char* part : {"ready", "processing", "delayed", "failed", "completed", "groups"})
        plan.keys.push_back(stem + part);
    plan.args = {move.verb == JobVerb::Retry     ? "retry"
                 : move.verb == JobVerb::Promote ? "promote"
                 : move.verb == JobVerb::Requeue ? "requeue"
                                                 : "remove"};
    for (size_t i = 0; i < jobs.size(); ++i) {
        const QByteArray& id = jobs[i].facts.id;
        const QByteArray group =
            move.ofJob ? fieldText(move.told[i][Fields], 0) : jobs[i].facts.name;
        if (group.isEmpty())
            return notPossible(
                ActionText::tr("The group of job %1 is unknown").arg(displayPreview(id, 40)));
        plan.args.push_back(id);
        plan.args.push_back(group);
        for (const QByteArray& key : {"job:" + id, "processing:" + id, "unique:" + id, "g:" + group,
                                      "g:" + group + ":active"})
            plan.keys.push_back(stem + key);
    }
    const QByteArray& id = jobs.front().facts.id;
    const QByteArray group = stem + "g:" + plan.args[2];
    switch (move.verb) {
    case JobVerb::Retry:
        // The library counts one more attempt, finds none left and moves the job to the failed
        // ones.
        plan.consequence +=
            QLatin1Char(' ') +
            ActionText::tr("GroupMQ's own retry() does nothing for a job that has used all of its "
                           "attempts; this gives it one more.");
        plan.commands = {shown({"ZREM", stem + "failed", id}),
                         shown({"ZADD", group, "(score)", id})};
        break;
    case JobVerb::Promote:
        plan.commands = {shown({"ZREM", stem + "delayed", id}),
                         shown({"HSET", stem + "job:" + id, "status", "waiting"})};
        break;
    case JobVerb::Requeue:
        plan.guard = ActionText::tr("each job is still in progress and its deadline has passed, or "
                                    "no worker has it");
        plan.commands = {shown({"ZREM", stem + "processing", id}),
                         shown({"ZADD", group, "(score)", id})};
        break;
    default:
        plan.commands = {shown({"ZREM", jobs.front().key, id}), shown({"DEL", stem + "job:" + id})};
        break;
    }
    return {};
}

LibraryMove groupmqMove(JobVerb verb, std::vector<QByteArray> states, std::vector<JobRole> roles)
{
    LibraryMove move{verb, std::move(states), std::move(roles), "groupmq-jobs", nullptr, fillJobs};
    if (verb == JobVerb::Requeue) {
        move.ofJob = ofHolder;
        move.objection = holderObjection;
        move.byName = true;
    }
    return move;
}

Result<void> fillGroupmqPause(Plan& plan, const LibraryPause& pause, const Primitive& queue,
                              std::span<const Reply>)
{
    plan.keys = {queue.id.name + ":paused"};
    plan.args = {pause.resumes ? "resume" : "pause", "1"};
    plan.commands = {pause.resumes ? shown({"DEL", plan.keys[0]})
                                   : shown({"SET", plan.keys[0], "1"})};
    return {};
}

} // namespace

ActionList groupMqActions()
{
    static const LibraryJobs retry(groupmqMove(JobVerb::Retry, {"failed"}, {JobRole::Dead}));
    static const LibraryJobs requeue(
        groupmqMove(JobVerb::Requeue, {"active"}, {JobRole::Processing}));
    static const LibraryJobs promote(
        groupmqMove(JobVerb::Promote, {"delayed"}, {JobRole::Delayed}));
    static const LibraryJobs discard(
        groupmqMove(JobVerb::Discard, {"failed", "waiting", "delayed", "completed"},
                    {JobRole::Dead, JobRole::Ready, JobRole::Delayed, JobRole::Done}));
    static const PauseQueue pause({false, "queue-flag", nullptr, fillGroupmqPause});
    static const PauseQueue resume({true, "queue-flag", nullptr, fillGroupmqPause});
    return {&retry, &requeue, &promote, &discard, &pause, &resume};
}

} // namespace lk::actions
