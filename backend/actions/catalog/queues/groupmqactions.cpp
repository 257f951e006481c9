// SPDX-License-Identifier: GPL-3.0-or-later
// What the API of GroupMQ does with jobs and queues; see lua/actions/groupmq-jobs.lua.
#include "backend/actions/catalog/catalog.h"
#include "backend/actions/catalog/libraryjobs.h"
#include "backend/core/names/keyname.h"

namespace lk::actions {

namespace {

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
    for (const StoredJob& job : jobs) {
        const QByteArray& id = job.facts.id;
        const QByteArray& group = job.facts.name;
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
    const QByteArray group = stem + "g:" + jobs.front().facts.name;
    switch (move.verb) {
    case JobVerb::Retry:
        plan.commands = {shown({"ZREM", stem + "failed", id}),
                         shown({"ZADD", group, "(score)", id})};
        break;
    case JobVerb::Promote:
        plan.commands = {shown({"ZREM", stem + "delayed", id}),
                         shown({"HSET", stem + "job:" + id, "status", "waiting"})};
        break;
    case JobVerb::Requeue:
        plan.guard = ActionText::tr("each job is still in progress and its deadline has passed");
        plan.commands = {shown({"ZREM", stem + "processing", id}),
                         shown({"ZADD", group, "(score)", id})};
        break;
    default:
        plan.commands = {shown({"ZREM", jobs.front().key, id}), shown({"DEL", stem + "job:" + id})};
        break;
    }
    return {};
}

LibraryMove moveOf(JobVerb verb, std::vector<QByteArray> states, std::vector<JobRole> roles)
{
    return {verb, std::move(states), std::move(roles), "groupmq-jobs", nullptr, fillJobs};
}

Result<void> fillPause(Plan& plan, const LibraryPause& pause, const Primitive& queue,
                       std::span<const Reply>)
{
    plan.keys = {queue.id.name + ":paused"};
    plan.args = {pause.resumes ? "resume" : "pause"};
    plan.commands = {pause.resumes ? shown({"DEL", plan.keys[0]})
                                   : shown({"SET", plan.keys[0], "1"})};
    return {};
}

} // namespace

const Action& retryGroupMqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Retry, {"failed"}, {JobRole::Dead}));
    return action;
}
const Action& promoteGroupMqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Promote, {"delayed"}, {JobRole::Delayed}));
    return action;
}
const Action& requeueGroupMqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Requeue, {"active"}, {JobRole::Processing}));
    return action;
}
const Action& discardGroupMqJobs()
{
    static const LibraryJobs action(
        moveOf(JobVerb::Discard, {"failed", "waiting", "delayed", "completed"},
               {JobRole::Dead, JobRole::Ready, JobRole::Delayed, JobRole::Done}));
    return action;
}
const Action& pauseGroupMq()
{
    static const PauseQueue action({false, "groupmq-pause", nullptr, fillPause});
    return action;
}
const Action& resumeGroupMq()
{
    static const PauseQueue action({true, "groupmq-pause", nullptr, fillPause});
    return action;
}

} // namespace lk::actions
