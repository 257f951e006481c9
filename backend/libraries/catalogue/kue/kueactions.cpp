// SPDX-License-Identifier: GPL-3.0-or-later
// The job actions of kue's API; see lua/actions/kue/kue-jobs.lua.
#include "backend/libraries/catalogue/kue/kueactions.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/families/jobs/libraryjobs.h"

namespace lk::actions {

namespace {

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

} // namespace

ActionList kueActions()
{
    static const LibraryJobs retry(
        {JobVerb::Retry, {"failed"}, {JobRole::Dead}, "kue-jobs", nullptr, fillKue});
    static const LibraryJobs requeue(
        {JobVerb::Requeue, {"active"}, {JobRole::Processing}, "kue-jobs", nullptr, fillKue});
    static const LibraryJobs promote(
        {JobVerb::Promote, {"delayed"}, {JobRole::Delayed}, "kue-jobs", nullptr, fillKue});
    static const LibraryJobs discard(
        {JobVerb::Discard,
         {"failed", "inactive", "delayed", "complete"},
         {JobRole::Dead, JobRole::Ready, JobRole::Delayed, JobRole::Done},
         "kue-jobs",
         nullptr,
         fillKue});
    return {&retry, &requeue, &promote, &discard};
}

} // namespace lk::actions
