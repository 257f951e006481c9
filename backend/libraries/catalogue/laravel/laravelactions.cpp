// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of Laravel's workers on jobs that are due or overdue; see
// lua/actions/laravel/laravel-jobs.lua.
#include "backend/libraries/catalogue/laravel/laravelactions.h"

#include "backend/libraries/families/jobs/libraryjobs.h"
#include "backend/libraries/families/jobs/pushjob.h"

namespace lk::actions {

namespace {

Result<void> fillLaravel(Plan& plan, const LibraryMove& move, const Primitive& queue,
                         const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    const QByteArray& main = queue.id.name;
    const bool removes = move.verb == JobVerb::Discard;
    plan.keys = {main, main + ":delayed", main + ":reserved", main + ":notify"};
    plan.args = {removes ? "remove" : move.verb == JobVerb::Promote ? "promote" : "requeue"};
    for (const StoredJob& job : jobs) {
        if (job.payload.isEmpty())
            return notPossible(ActionText::tr("The job is not among the first %1 of its state")
                                   .arg(mostLibraryJobs));
        plan.args.push_back(job.payload);
    }
    const QByteArray& from = jobs.front().key;
    plan.commands = {from == main ? shown({"LREM", from, "1", "•••"})
                                  : shown({"ZREM", from, "•••"})};
    if (!removes)
        plan.commands << shown({"RPUSH", main, "•••"}) << shown({"RPUSH", plan.keys[3], "1"});
    if (move.verb == JobVerb::Requeue)
        plan.guard =
            ActionText::tr("each job is still reserved, and its reservation has timed out");
    return {};
}

LibraryMove laravelMove(JobVerb verb)
{
    if (verb == JobVerb::Promote)
        return {verb, {"delayed"}, {JobRole::Delayed}, "laravel-jobs", nullptr, fillLaravel};
    if (verb == JobVerb::Requeue)
        return {verb, {"reserved"}, {JobRole::Processing}, "laravel-jobs", nullptr, fillLaravel};
    return {verb,
            {"pending", "delayed"},
            {JobRole::Ready, JobRole::Delayed},
            "laravel-jobs",
            nullptr,
            fillLaravel};
}

// "Class@method" is called with the payload.
Result<void> fillLaravelPush(Plan& plan, const Primitive& queue, const PushedJob& job,
                             std::span<const Reply>)
{
    const QByteArray& main = queue.id.name;
    const QByteArray payload =
        R"({"uuid":")" + job.id + R"(","displayName":)" + quoted(job.name.split('@').front()) +
        R"(,"job":)" + quoted(job.name) +
        R"(,"maxTries":null,"maxExceptions":null,"failOnTimeout":false,"backoff":null,)"
        R"("timeout":null,"data":)" +
        job.payload + R"(,"id":")" + hexId(job, 32) + R"(","attempts":0})";
    fillPush(plan, "RPUSH", main, payload, {{"wake", main + ":notify", {"1"}}});
    return {};
}

} // namespace

ActionList laravelActions()
{
    static const LibraryJobs requeue(laravelMove(JobVerb::Requeue));
    static const LibraryJobs promote(laravelMove(JobVerb::Promote));
    static const LibraryJobs discard(laravelMove(JobVerb::Discard));
    static const PushJob push({PushForm::Json, "job-push", nullptr, fillLaravelPush});
    return {&requeue, &promote, &discard, &push};
}

} // namespace lk::actions
