// SPDX-License-Identifier: GPL-3.0-or-later
// The job actions of Resque, resque-scheduler and node-resque; see
// lua/actions/resque/resque-jobs.lua.
#include "backend/libraries/catalogue/resque/resqueactions.h"

#include "backend/core/json/jsonedit.h"
#include "backend/libraries/catalogue/resque/resquejobs.h"
#include "backend/libraries/families/jobs/libraryjobs.h"

namespace lk::actions {

namespace {

// The job inside the entry of a failed job or a job in progress. node-resque writes that with Lua,
// which has no empty arrays.
std::optional<QByteArray> jobWithin(const QByteArray& wrapping)
{
    std::optional<QByteArray> job = jsonMember(wrapping, "payload");
    return job && jsonMember(*job, "args") == QByteArray("{}")
               ? withJsonMember(*job, {"args"}, "[]")
               : job;
}

// Returns the rest of the key's name after the stem: the second of a delayed job, or a worker.
QByteArray placeIn(const QByteArray& key, const QByteArray& stem)
{
    return key.startsWith(stem) ? key.mid(stem.size()) : QByteArray();
}

void addPlace(Plan& plan, const QByteArray& space, const StoredJob& job, bool working)
{
    if (!working) {
        plan.keys.push_back(job.key);
        plan.keys.push_back(space + "timestamps:" + job.payload);
        return;
    }
    // node-resque counts by the worker's name without its queues.
    const QByteArray worker = placeIn(job.key, space + "worker:");
    const QByteArray name = resqueWorkerName(worker);
    for (const QByteArray& key :
         {job.key, job.key + ":started", space + "worker:ping:" + name,
          space + "stat:processed:" + worker, space + "stat:failed:" + worker,
          space + "stat:processed:" + name, space + "stat:failed:" + name})
        plan.keys.push_back(key);
}

Result<void> fillResque(Plan& plan, const LibraryMove& move, const Primitive& queue,
                        const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    const ResqueName own = resqueNameOf(queue.id.name, KeyType::List);
    const QByteArray space = own.space + ':';
    const QByteArray& state = move.states.front();
    const bool working = state == "working";
    const bool delayed = state == "delayed";
    plan.keys = {queue.id.name};
    for (const char* part : {"queues", "failed", "delayed_queue_schedule", "workers",
                             "workers:heartbeat", "stat:failed"})
        plan.keys.push_back(space + part);
    plan.args = {scriptVerb(move.verb), state, own.rest};
    plan.items.clear();
    for (const StoredJob& job : jobs) {
        if (job.payload.isEmpty())
            return notPossible(ActionText::tr("The job is not among the first %1 of its state")
                                   .arg(mostLibraryJobs));
        const std::optional<QByteArray> queued =
            state == "failed" || working ? jobWithin(job.payload) : job.payload;
        if (!queued)
            return notPossible(ActionText::tr("The job is not written as Resque writes it"));
        plan.items.push_back(job.payload); // it has no other id
        plan.args.push_back(placeIn(job.key, space + (working ? "worker:" : "delayed:")));
        plan.args.push_back(job.payload);
        plan.args.push_back(*queued);
        if (working || delayed)
            addPlace(plan, space, job, working);
    }
    if (working)
        plan.commands = {shown({"DEL", jobs.front().key}),
                         shown({"SREM", space + "workers", plan.args[3]})};
    else
        plan.commands = {shown({"LREM", jobs.front().key, "1", hiddenPayload})};
    if (move.verb != JobVerb::Discard)
        plan.commands << shown({"RPUSH", queue.id.name, hiddenPayload});
    if (working)
        plan.guard = ActionText::tr("each job is still in progress and its worker has sent no "
                                    "heartbeat for five minutes");
    return {};
}

LibraryMove resqueMove(JobVerb verb, std::vector<QByteArray> states, std::vector<JobRole> roles)
{
    return {verb, std::move(states), std::move(roles), "resque-jobs", nullptr, fillResque};
}

} // namespace

ActionList resqueActions()
{
    static const LibraryJobs retry(resqueMove(JobVerb::Retry, {"failed"}, {JobRole::Dead}));
    static const LibraryJobs requeue(
        resqueMove(JobVerb::Requeue, {"working"}, {JobRole::Processing}));
    static const LibraryJobs promote(resqueMove(JobVerb::Promote, {"delayed"}, {JobRole::Delayed}));
    static const LibraryJobs discard(resqueMove(JobVerb::Discard, {"failed", "waiting", "delayed"},
                                                {JobRole::Dead, JobRole::Ready, JobRole::Delayed}));
    return {&retry, &requeue, &promote, &discard};
}

} // namespace lk::actions
