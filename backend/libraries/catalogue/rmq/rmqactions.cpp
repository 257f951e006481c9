// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of adjust/rmq on deliveries; see lua/actions/rmq/rmq-return.lua.
#include "backend/libraries/catalogue/rmq/rmqactions.h"

#include "backend/libraries/families/jobs/libraryjobs.h"
#include "backend/libraries/families/jobs/pushjob.h"

namespace lk::actions {

namespace {

Result<void> fillRmq(Plan& plan, const LibraryMove&, const Primitive& queue,
                     const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    plan.keys = {queue.id.name};
    plan.items.clear();
    for (const StoredJob& job : jobs) {
        const qsizetype connection = job.key.indexOf("connection::");
        const qsizetype end = job.key.indexOf("::queue::", connection);
        const qsizetype at = keyIndex(plan.keys, job.key);
        keyIndex(plan.keys, job.key.left(end) + "::heartbeat");
        plan.items.push_back(job.payload); // a delivery has no other id
        plan.args.push_back(QByteArray::number(at) + ' ' + job.payload);
    }
    plan.commands << shown({"LREM", jobs.front().key, "-1", hiddenPayload})
                  << shown({"LPUSH", queue.id.name, hiddenPayload});
    return {};
}

Result<void> fillRmqPush(Plan& plan, const Primitive& queue, const PushedJob& job,
                         std::span<const Reply>)
{
    fillPush(plan, "LPUSH", queue.id.name, job.payload, {});
    return {};
}

} // namespace

ActionList rmqActions()
{
    static const LibraryJobs requeue(
        {JobVerb::Requeue, {"unacked"}, {JobRole::Processing}, "rmq-return", nullptr, fillRmq});
    static const PushJob push({PushForm::Plain, "job-push", nullptr, fillRmqPush});
    return {&requeue, &push};
}

} // namespace lk::actions
