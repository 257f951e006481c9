// SPDX-License-Identifier: GPL-3.0-or-later
// What the APIs of bee-queue, rsmq and kue do with jobs; see lua/actions/bee-jobs.lua,
// rsmq-messages.lua and kue-jobs.lua.
#include "backend/actions/catalog/catalog.h"
#include "backend/actions/catalog/libraryjobs.h"
#include "backend/core/names/keyname.h"

namespace lk::actions {

namespace {

Result<void> fillBee(Plan& plan, const LibraryMove& move, const Primitive& queue,
                     const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    const QByteArray stem = queue.id.name + ':';
    for (const char* part :
         {"waiting", "active", "delayed", "failed", "succeeded", "stalling", "stallBlock", "jobs"})
        plan.keys.push_back(stem + part);
    plan.args = {scriptVerb(move.verb)};
    for (const StoredJob& job : jobs)
        plan.args.push_back(job.facts.id);
    const QByteArray& id = jobs.front().facts.id;
    const Command push{"LPUSH", stem + "waiting", id};
    switch (move.verb) {
    case JobVerb::Retry:
        plan.commands = {shown({"SREM", stem + "failed", id}), shown(push)};
        break;
    case JobVerb::Promote:
        plan.commands = {shown({"ZREM", stem + "delayed", id}), shown(push)};
        break;
    case JobVerb::Requeue:
        plan.guard = ActionText::tr("each job is still in progress and its worker missed a "
                                    "whole stall interval");
        plan.commands = {shown({"LREM", stem + "active", "0", id}), shown(push)};
        break;
    default:
        plan.commands = {shown({"SREM", stem + "failed", id}), shown({"HDEL", stem + "jobs", id})};
        break;
    }
    return {};
}

Result<void> fillRsmq(Plan& plan, const LibraryMove& move, const Primitive& queue,
                      const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    const QByteArray& messages = queue.id.name;
    plan.keys = {messages, messages + ":Q"};
    plan.args = {scriptVerb(move.verb), move.states.front()};
    for (const StoredJob& job : jobs)
        plan.args.push_back(job.facts.id);
    const QByteArray& id = jobs.front().facts.id;
    if (move.verb == JobVerb::Promote)
        plan.commands = {shown({"ZADD", messages, "(now, ms)", id})};
    else
        plan.commands = {shown({"ZREM", messages, id}),
                         shown({"HDEL", plan.keys[1], id, id + ":rc", id + ":fr"})};
    if (move.states.front() == "in-flight")
        plan.consequence =
            move.verb == JobVerb::Promote
                ? ActionText::tr("Another worker can receive them now. If the worker that has one "
                                 "is still alive, the job runs twice.")
                : ActionText::tr("They never become visible again. A worker that has one still "
                                 "processes it.");
    return {};
}

Result<void> fillKue(Plan& plan, const LibraryMove& move, const Primitive& queue,
                     const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    // "<prefix>:jobs:<type>"
    const QByteArray stem = queue.id.name.left(queue.id.name.lastIndexOf(":jobs:") + 1);
    constexpr const char* states[] = {"inactive", "active", "delayed", "failed", "complete"};
    plan.keys = {stem + "jobs"};
    for (const char* state : states)
        plan.keys.push_back(stem + "jobs:" + state);
    plan.args = {scriptVerb(move.verb), stem + "events"};
    for (const StoredJob& job : jobs) {
        const QByteArray& type = job.facts.name;
        if (type.isEmpty())
            return notPossible(ActionText::tr("The type of job %1 is unknown")
                                   .arg(displayPreview(job.facts.id, 40)));
        plan.args.push_back(job.facts.id);
        plan.args.push_back(type);
        plan.keys.push_back(stem + "job:" + job.facts.id);
        plan.keys.push_back(stem + "job:" + job.facts.id + ":log");
        for (const char* state : states)
            plan.keys.push_back(stem + "jobs:" + type + ':' + state);
        plan.keys.push_back(stem + type + ":jobs");
    }
    const JobFacts& first = jobs.front().facts;
    const QByteArray member =
        QByteArray::number(first.id.size()).rightJustified(2, '0') + '|' + first.id;
    if (move.verb == JobVerb::Discard) {
        plan.commands = {shown({"ZREM", jobs.front().key, member}),
                         shown({"DEL", stem + "job:" + first.id})};
        return {};
    }
    if (move.verb == JobVerb::Requeue)
        plan.guard = ActionText::tr("each job is still in progress and its time to live is over");
    plan.commands = {shown({"ZREM", jobs.front().key, member}),
                     shown({"HSET", stem + "job:" + first.id, "state", "inactive"}),
                     shown({"ZADD", stem + "jobs:inactive", "(priority)", member}),
                     shown({"LPUSH", stem + first.name + ":jobs", "1"})};
    return {};
}

using Fill = decltype(LibraryMove::fill);

LibraryMove nodeJobsMove(JobVerb verb, std::vector<QByteArray> states, std::vector<JobRole> roles,
                         const char* script, Fill fill)
{
    return {verb, std::move(states), std::move(roles), script, nullptr, fill};
}

LibraryMove beeMove(JobVerb verb, std::vector<QByteArray> states, std::vector<JobRole> roles)
{
    return nodeJobsMove(verb, std::move(states), std::move(roles), "bee-jobs", fillBee);
}

LibraryMove kueMove(JobVerb verb, std::vector<QByteArray> states, std::vector<JobRole> roles)
{
    return nodeJobsMove(verb, std::move(states), std::move(roles), "kue-jobs", fillKue);
}

} // namespace

const Action& retryBeeJobs()
{
    static const LibraryJobs action(beeMove(JobVerb::Retry, {"failed"}, {JobRole::Dead}));
    return action;
}
const Action& promoteBeeJobs()
{
    static const LibraryJobs action(beeMove(JobVerb::Promote, {"delayed"}, {JobRole::Delayed}));
    return action;
}
const Action& requeueBeeJobs()
{
    static const LibraryJobs action(beeMove(JobVerb::Requeue, {"active"}, {JobRole::Processing}));
    return action;
}
const Action& discardBeeJobs()
{
    static const LibraryJobs action(
        beeMove(JobVerb::Discard, {"failed", "waiting", "delayed", "succeeded"},
                {JobRole::Dead, JobRole::Ready, JobRole::Delayed, JobRole::Done}));
    return action;
}
const Action& promoteRsmqMessages()
{
    static const LibraryJobs action(nodeJobsMove(JobVerb::Promote, {"delayed", "in-flight"},
                                                 {JobRole::Delayed, JobRole::Processing},
                                                 "rsmq-messages", fillRsmq));
    return action;
}
const Action& discardRsmqMessages()
{
    static const LibraryJobs action(nodeJobsMove(
        JobVerb::Discard, {"visible", "in-flight", "delayed"},
        {JobRole::Ready, JobRole::Processing, JobRole::Delayed}, "rsmq-messages", fillRsmq));
    return action;
}
const Action& retryKueJobs()
{
    static const LibraryJobs action(kueMove(JobVerb::Retry, {"failed"}, {JobRole::Dead}));
    return action;
}
const Action& promoteKueJobs()
{
    static const LibraryJobs action(kueMove(JobVerb::Promote, {"delayed"}, {JobRole::Delayed}));
    return action;
}
const Action& requeueKueJobs()
{
    static const LibraryJobs action(kueMove(JobVerb::Requeue, {"active"}, {JobRole::Processing}));
    return action;
}
const Action& discardKueJobs()
{
    static const LibraryJobs action(
        kueMove(JobVerb::Discard, {"failed", "inactive", "delayed", "complete"},
                {JobRole::Dead, JobRole::Ready, JobRole::Delayed, JobRole::Done}));
    return action;
}

} // namespace lk::actions
