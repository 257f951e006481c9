// SPDX-License-Identifier: GPL-3.0-or-later
// dramatiq's action on the messages of a dead worker; see
// lua/actions/dramatiq/dramatiq-requeue.lua.
#include "backend/libraries/catalogue/dramatiq/dramatiqactions.h"

#include "backend/libraries/families/jobs/libraryjobs.h"
#include "backend/libraries/families/jobs/pushjob.h"

#include <algorithm>

namespace lk::actions {

namespace {

Result<void> fillDramatiq(Plan& plan, const LibraryMove&, const Primitive& queue,
                          const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    const QByteArray& main = queue.id.name;
    const QByteArray space = main.left(main.lastIndexOf(':') + 1);
    plan.keys = {main, main + ".msgs", space + "__heartbeats__"};
    for (const StoredJob& job : jobs) {
        auto at = std::find(plan.keys.begin() + 3, plan.keys.end(), job.key);
        if (at == plan.keys.end())
            at = plan.keys.insert(at, job.key);
        plan.args.push_back(QByteArray::number(at - plan.keys.begin() + 1));
        plan.args.push_back(job.facts.worker);
        plan.args.push_back(job.facts.id);
    }
    const QByteArray& id = jobs.front().facts.id;
    plan.commands << shown({"SREM", jobs.front().key, id}) << shown({"RPUSH", main, id});
    return {};
}

Result<void> fillDramatiqPush(Plan& plan, const Primitive& queue, const PushedJob& job,
                              std::span<const Reply>)
{
    const QByteArray& main = queue.id.name;
    const bool named = job.payload.trimmed().startsWith('{');
    const QByteArray message =
        R"({"queue_name":)" + quoted(main.mid(main.lastIndexOf(':') + 1)) + R"(,"actor_name":)" +
        quoted(job.name) + R"(,"args":)" + (named ? "[]" : job.payload) + R"(,"kwargs":)" +
        (named ? job.payload : "{}") + R"(,"options":{"redis_message_id":")" + job.id +
        R"("},"message_id":")" + job.id + R"(","message_timestamp":)" +
        QByteArray::number(job.nowMs) + '}';
    fillPush(plan, "RPUSH", main, job.id, {{"field", main + ".msgs", {job.id, message}}});
    return {};
}

} // namespace

ActionList dramatiqActions()
{
    static const LibraryJobs requeue({JobVerb::Requeue,
                                      {"in-progress"},
                                      {JobRole::Processing},
                                      "dramatiq-requeue",
                                      nullptr,
                                      fillDramatiq});
    static const PushJob push({PushForm::Arguments, "job-push", nullptr, fillDramatiqPush});
    return {&requeue, &push};
}

} // namespace lk::actions
