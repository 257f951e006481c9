// SPDX-License-Identifier: GPL-3.0-or-later
// What RQ's own registries and jobs do; see lua/actions/rq-jobs.lua.
#include "backend/actions/catalog/catalog.h"
#include "backend/actions/catalog/libraryjobs.h"
#include "backend/layouts/queues/rq/rqnames.h"

#include <QDateTime>

namespace lk::actions {

namespace {

const char* verbOf(JobVerb verb)
{
    switch (verb) {
    case JobVerb::Retry:
        return "retry";
    case JobVerb::Promote:
        return "promote";
    case JobVerb::Requeue:
        return "requeue";
    case JobVerb::Remove:
        break;
    }
    return "remove";
}

// RQ writes when a job was queued with microseconds.
QByteArray timeText(std::span<const Reply> time)
{
    if (time.empty() || time[0].items.size() != 2)
        return {};
    const qint64 seconds = time[0].items[0].text.toLongLong();
    const QDateTime moment = QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC);
    return moment.toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss")).toLatin1() + '.' +
           time[0].items[1].text.rightJustified(6, '0') + 'Z';
}

std::vector<Command> timeRead(const Primitive&)
{
    return {{"TIME"}};
}

Result<void> fill(Plan& plan, const LibraryMove& move, const Primitive& queue,
                  const std::vector<StoredJob>& jobs, std::span<const Reply> extra)
{
    const RqName rq = rqNameOf(queue.id.name);
    plan.keys = {queue.id.name, rq.stem + "queues"};
    for (const char* registry : {"wip", "scheduled", "failed", "finished", "canceled"})
        plan.keys.push_back(rq.stem + registry + ':' + rq.queue);
    plan.args = {verbOf(move.verb), timeText(extra)};
    for (const StoredJob& job : jobs) {
        const QByteArray& id = job.facts.id;
        const QByteArray key = rqJobKey(rq.stem, id);
        plan.args.push_back(id);
        plan.keys.insert(plan.keys.end(),
                         {key, rq.stem + "results:" + id, key + ":dependents",
                          rq.stem + "job::" + id + ":dependencies", rq.stem + "executions:" + id});
    }
    const QByteArray& id = jobs.front().facts.id;
    const QByteArray from = jobs.front().key.isEmpty() ? plan.keys[4] : jobs.front().key;
    if (move.verb == JobVerb::Remove) {
        plan.commands = {from == queue.id.name ? shown({"LREM", from, "1", id})
                                               : shown({"ZREM", from, id}),
                         shown({"DEL", rqJobKey(rq.stem, id), rq.stem + "results:" + id})};
        return {};
    }
    plan.commands = {shown({"ZREM", from, id}),
                     shown({"HSET", rqJobKey(rq.stem, id), "status", "queued"}),
                     shown({"RPUSH", queue.id.name, id})};
    return {};
}

LibraryMove moveOf(JobVerb verb)
{
    switch (verb) {
    case JobVerb::Retry:
        return {verb, {"failed"}, {"dead"}, "rq-jobs", timeRead, fill};
    case JobVerb::Promote:
        return {verb, {"scheduled"}, {"delayed"}, "rq-jobs", timeRead, fill};
    case JobVerb::Requeue:
        return {verb, {"started"}, {"processing"}, "rq-jobs", timeRead, fill};
    case JobVerb::Remove:
        break;
    }
    return {verb,
            {"failed", "queued", "scheduled", "finished", "canceled"},
            {"dead", "ready", "delayed", "done"},
            "rq-jobs",
            timeRead,
            fill};
}

} // namespace

const Action& retryRqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Retry));
    return action;
}
const Action& promoteRqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Promote));
    return action;
}
const Action& requeueRqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Requeue));
    return action;
}
const Action& removeRqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Remove));
    return action;
}

} // namespace lk::actions
