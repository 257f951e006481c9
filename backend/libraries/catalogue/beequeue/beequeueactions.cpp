// SPDX-License-Identifier: GPL-3.0-or-later
// The job actions of bee-queue's API; see lua/actions/beequeue/bee-jobs.lua.
#include "backend/libraries/catalogue/beequeue/beequeueactions.h"

#include "backend/libraries/families/jobs/libraryjobs.h"

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

} // namespace

ActionList beeQueueActions()
{
    static const LibraryJobs retry(
        {JobVerb::Retry, {"failed"}, {JobRole::Dead}, "bee-jobs", nullptr, fillBee});
    static const LibraryJobs requeue(
        {JobVerb::Requeue, {"active"}, {JobRole::Processing}, "bee-jobs", nullptr, fillBee});
    static const LibraryJobs promote(
        {JobVerb::Promote, {"delayed"}, {JobRole::Delayed}, "bee-jobs", nullptr, fillBee});
    static const LibraryJobs discard(
        {JobVerb::Discard,
         {"failed", "waiting", "delayed", "succeeded"},
         {JobRole::Dead, JobRole::Ready, JobRole::Delayed, JobRole::Done},
         "bee-jobs",
         nullptr,
         fillBee});
    return {&retry, &requeue, &promote, &discard};
}

} // namespace lk::actions
