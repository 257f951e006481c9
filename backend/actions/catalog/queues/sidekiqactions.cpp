// SPDX-License-Identifier: GPL-3.0-or-later
// What Sidekiq's own API and the cleaning of GitLab's fetcher do; see lua/actions/sidekiq-jobs.lua.
#include "backend/actions/catalog/catalog.h"
#include "backend/actions/catalog/libraryjobs.h"
#include "backend/actions/catalog/queues/agedjobs.h"
#include "backend/core/json/jsonedit.h"
#include "backend/layouts/queues/sidekiq/sidekiqjobs.h"
#include "backend/layouts/queues/sidekiq/sidekiqnames.h"

#include <algorithm>

namespace lk::actions {

namespace {

std::vector<Command> timeRead(const Primitive&)
{
    return {{"TIME"}};
}

// Seconds with a fraction, or since Sidekiq 8 whole milliseconds: as the job's other times are.
QByteArray momentLike(const QByteArray& job, std::span<const Reply> time)
{
    if (time.empty() || time[0].items.size() != 2)
        return {};
    const QByteArray& seconds = time[0].items[0].text;
    const QByteArray micros = time[0].items[1].text.rightJustified(6, '0');
    const double created = jsonMember(job, "created_at").value_or("0").toDouble();
    return created > 1e11 ? seconds + micros.left(3) : seconds + '.' + micros;
}

std::optional<QByteArray> counted(const QByteArray& job, const QByteArray& counter, int by,
                                  bool anew)
{
    const std::optional<QByteArray> known = jsonMember(job, counter);
    if (!known && !anew)
        return job;
    return withJsonMember(job, {counter},
                          QByteArray::number(known.value_or("0").toLongLong() + by));
}

// The job as it is queued.
std::optional<QByteArray> queuedAs(const QByteArray& job, JobVerb verb, std::span<const Reply> time)
{
    if (verb == JobVerb::Requeue)
        return counted(job, "interrupted_count", 1, true);
    // It counts as the attempt that it was, not as one more.
    std::optional<QByteArray> queued =
        verb == JobVerb::Retry ? counted(job, "retry_count", -1, false) : job;
    return queued ? withJsonMember(*queued, {"enqueued_at"}, momentLike(job, time)) : std::nullopt;
}

// Where in the keys the holder is, from 1 on; added with its heartbeat where it has one.
size_t placeOf(std::vector<QByteArray>& keys, const QByteArray& holder, bool heartbeat)
{
    const auto known = std::find(keys.begin() + 2, keys.end(), holder);
    const size_t place = size_t(known - keys.begin()) + 1;
    if (known == keys.end()) {
        keys.push_back(holder);
        if (heartbeat)
            keys.push_back(sidekiqHeartbeatKey(sidekiqNameOf(holder)));
    }
    return place;
}

Result<void> fill(Plan& plan, const LibraryMove& move, const Primitive& queue,
                  const std::vector<StoredJob>& jobs, std::span<const Reply> extra)
{
    const SidekiqName name = sidekiqNameOf(queue.id.name);
    const bool requeues = move.verb == JobVerb::Requeue;
    const bool removes = move.verb == JobVerb::Discard || move.verb == JobVerb::DiscardOld;
    plan.keys = {queue.id.name, name.space + "queues"};
    plan.args = {removes ? "remove" : requeues ? "requeue" : "push", name.queue};
    for (const StoredJob& job : jobs) {
        if (job.payload.isEmpty())
            return notPossible(ActionText::tr("The job is not among the first %1 of its state")
                                   .arg(mostLibraryJobs));
        // Without a list of its own a job is gone with its process: Sidekiq itself has lost it.
        if (requeues && (sidekiqNameOf(job.key).part != "working" ||
                         sidekiqHeartbeatKey(sidekiqNameOf(job.key)).isEmpty()))
            return notPossible(ActionText::tr(
                "Sidekiq keeps the jobs of a dead process only with reliable fetch"));
        const std::optional<QByteArray> queued =
            removes ? QByteArray() : queuedAs(job.payload, move.verb, extra);
        if (!queued)
            return notPossible(ActionText::tr("The job is not in Sidekiq's format"));
        plan.args.push_back(QByteArray::number(placeOf(plan.keys, job.key, requeues)));
        plan.args.push_back(job.payload);
        plan.args.push_back(*queued);
    }
    const QByteArray& from = jobs.front().key;
    const bool list = from == queue.id.name || sidekiqNameOf(from).part == "working";
    plan.commands = {list ? shown({"LREM", from, "-1", "•••"}) : shown({"ZREM", from, "•••"})};
    if (!removes)
        plan.commands << shown({"LPUSH", queue.id.name, "•••"});
    if (requeues)
        plan.guard = ActionText::tr("each job is still there and its process has no heartbeat");
    return {};
}

Result<void> fillKill(Plan& plan, const LibraryMove&, const Primitive& queue,
                      const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    plan.keys = {sidekiqNameOf(queue.id.name).space + "dead"};
    for (const StoredJob& job : jobs) {
        if (job.payload.isEmpty())
            return notPossible(ActionText::tr("The job is not among the first %1 of its state")
                                   .arg(mostLibraryJobs));
        auto at = std::find(plan.keys.begin() + 1, plan.keys.end(), job.key);
        if (at == plan.keys.end())
            at = plan.keys.insert(at, job.key);
        plan.args.push_back(QByteArray::number(at - plan.keys.begin() + 1));
        plan.args.push_back(job.payload);
    }
    plan.commands = {shown({"ZREM", jobs.front().key, "•••"}),
                     shown({"ZADD", plan.keys[0], "•••", "•••"})};
    return {};
}

QByteArray deadKey(const Primitive& queue)
{
    return sidekiqNameOf(queue.id.name).space + "dead";
}

std::optional<JobFacts> factsIn(const Primitive& queue, const QByteArray& payload)
{
    std::optional<SidekiqJob> job = sidekiqJobOf(payload);
    return job && job->queue == sidekiqNameOf(queue.id.name).queue
               ? std::optional(std::move(job->facts))
               : std::nullopt;
}

// When they died is their score in a set that all queues share.
constexpr AgedReads oldJobs{
    [](const Primitive& queue, const QByteArray&, qint64 beforeMs, std::span<const Reply> replies) {
        return agedReads(deadKey(queue), QByteArray::number(double(beforeMs) / 1000, 'f', 3),
                         replies);
    },
    [](const Primitive& queue, const QByteArray&, qint64, std::span<const Reply> replies) {
        return agedPayloads(deadKey(queue), queue, replies, factsIn);
    }};

LibraryMove moveOf(JobVerb verb)
{
    if (verb == JobVerb::DeadLetter)
        return {verb,    {"retries", "scheduled"}, {JobRole::Delayed}, "sidekiq-kill", nullptr,
                fillKill};
    if (verb == JobVerb::DiscardOld)
        return {verb, {"dead"}, {}, "sidekiq-jobs", timeRead, fill, &oldJobs};
    switch (verb) {
    case JobVerb::Retry:
        return {verb,
                {"retries", "dead", "interrupted"},
                {JobRole::Delayed, JobRole::Dead},
                "sidekiq-jobs",
                timeRead,
                fill};
    case JobVerb::Promote:
        return {verb, {"scheduled"}, {JobRole::Delayed}, "sidekiq-jobs", timeRead, fill};
    case JobVerb::Requeue:
        return {verb, {"busy"}, {JobRole::Processing}, "sidekiq-jobs", timeRead, fill};
    case JobVerb::Discard:
    case JobVerb::DeadLetter:
    case JobVerb::DiscardOld:
        break;
    }
    return {verb,
            {"dead", "retries", "scheduled", "enqueued", "interrupted"},
            {JobRole::Dead, JobRole::Delayed, JobRole::Ready},
            "sidekiq-jobs",
            timeRead,
            fill};
}

} // namespace

const Action& retrySidekiqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Retry));
    return action;
}
const Action& promoteSidekiqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Promote));
    return action;
}
const Action& requeueSidekiqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Requeue));
    return action;
}
const Action& deadLetterSidekiqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::DeadLetter));
    return action;
}
const Action& discardOldSidekiqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::DiscardOld));
    return action;
}
const Action& discardSidekiqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Discard));
    return action;
}

} // namespace lk::actions
