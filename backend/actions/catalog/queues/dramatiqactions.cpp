// SPDX-License-Identifier: GPL-3.0-or-later
// What dramatiq does with messages whose worker is dead; see lua/actions/dramatiq-requeue.lua.
#include "backend/actions/catalog/catalog.h"
#include "backend/actions/catalog/libraryjobs.h"

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

} // namespace

const Action& requeueDramatiqMessages()
{
    static const LibraryJobs action({JobVerb::Requeue,
                                     {"in-progress"},
                                     {JobRole::Processing},
                                     "dramatiq-requeue",
                                     nullptr,
                                     fillDramatiq});
    return action;
}

} // namespace lk::actions
