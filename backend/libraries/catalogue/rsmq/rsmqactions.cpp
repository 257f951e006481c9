// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of rsmq's API on messages; see lua/actions/rsmq/rsmq-messages.lua.
#include "backend/libraries/catalogue/rsmq/rsmqactions.h"

#include "backend/libraries/families/jobs/libraryjobs.h"

namespace lk::actions {

namespace {

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

} // namespace

ActionList rsmqActions()
{
    static const LibraryJobs promote({JobVerb::Promote,
                                      {"delayed", "in-flight"},
                                      {JobRole::Delayed, JobRole::Processing},
                                      "rsmq-messages",
                                      nullptr,
                                      fillRsmq});
    static const LibraryJobs discard({JobVerb::Discard,
                                      {"visible", "in-flight", "delayed"},
                                      {JobRole::Ready, JobRole::Processing, JobRole::Delayed},
                                      "rsmq-messages",
                                      nullptr,
                                      fillRsmq});
    return {&promote, &discard};
}

} // namespace lk::actions
