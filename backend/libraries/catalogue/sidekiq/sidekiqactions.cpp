// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of Sidekiq's own API, of super_fetch and of GitLab's fetcher. The script is
// lua/actions/sidekiq/sidekiq-jobs.lua.
#include "backend/libraries/catalogue/sidekiq/sidekiqactions.h"

#include "backend/core/json/jsonedit.h"
#include "backend/core/names/keyname.h"
#include "backend/libraries/catalogue/sidekiq/sidekiqjobs.h"
#include "backend/libraries/catalogue/sidekiq/sidekiqnames.h"
#include "backend/libraries/families/jobs/agedjobs.h"
#include "backend/libraries/families/jobs/jobtexts.h"
#include "backend/libraries/families/jobs/libraryjobs.h"
#include "backend/libraries/families/jobs/pushjob.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lk::actions {

namespace {

std::vector<Command> sidekiqTimeRead(const Primitive&)
{
    return {{"TIME"}};
}

// Returns the time in the format of the job's other times: seconds with a fraction, or whole
// milliseconds since Sidekiq 8.
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

// The job as it is requeued. Sidekiq Pro does not change it; GitLab's fetcher counts the
// interruption.
std::optional<QByteArray> queuedAs(const StoredJob& stored, JobVerb verb,
                                   std::span<const Reply> time)
{
    const QByteArray& job = stored.payload;
    if (verb == JobVerb::Requeue)
        return sidekiqNameOf(stored.key).superFetch ? job
                                                    : counted(job, "interrupted_count", 1, true);
    // It counts as the same attempt, not as one more.
    std::optional<QByteArray> queued =
        verb == JobVerb::Retry ? counted(job, "retry_count", -1, false) : job;
    return queued ? withJsonMember(*queued, {"enqueued_at"}, momentLike(job, time)) : std::nullopt;
}

// Returns the holder's position in keys, counted from 1. Appends the holder if it is missing, and
// also its heartbeat if it has one.
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

// Describes the lock of sidekiq-unique-jobs that is deleted with the job: "PLACE DIGESTS JID
// DIGEST"; see the scripts. Empty if the job has none.
QByteArray uniqueLockOf(std::vector<QByteArray>& keys, const QByteArray& space,
                        const QByteArray& payload)
{
    const QJsonObject job = jsonObject(payload);
    QByteArray digest = jsonText(job, "lock_digest");
    if (digest.isEmpty())
        digest = jsonText(job, "unique_digest"); // before version 7.1
    if (digest.isEmpty())
        return {};
    const QByteArray digests = space + "uniquejobs:digests";
    if (std::find(keys.begin(), keys.end(), digests) == keys.end())
        keys.push_back(digests);
    const auto set = std::find(keys.begin(), keys.end(), digests) - keys.begin() + 1;
    const size_t place = keys.size() + 1;
    for (const char* part : {"", ":QUEUED", ":PRIMED", ":LOCKED", ":INFO"})
        keys.push_back(space + digest + part);
    return QByteArray::number(qint64(place)) + ' ' + QByteArray::number(qint64(set)) + ' ' +
           jsonText(job, "jid") + ' ' + digest;
}

void sayOfRequeue(Plan& plan, const std::vector<StoredJob>& jobs)
{
    plan.guard = ActionText::tr("each job is still there and its process has no heartbeat");
    QByteArray batch;
    bool counts = false;
    for (const StoredJob& job : jobs) {
        counts = counts || !sidekiqNameOf(job.key).superFetch;
        if (batch.isEmpty())
            batch = jsonText(jsonObject(job.payload), "bid");
    }
    plan.consequence +=
        QLatin1Char(' ') +
        (counts ? ActionText::tr("As the cleaning of GitLab's fetcher does, the interruption is "
                                 "counted in the job (interrupted_count).")
                : ActionText::tr("The jobs are queued byte by byte as they are."));
    if (!batch.isEmpty())
        plan.consequence +=
            QLatin1Char(' ') +
            ActionText::tr("They are members of batch %1.").arg(displayPreview(batch, 40));
}

Result<void> fillSidekiq(Plan& plan, const LibraryMove& move, const Primitive& queue,
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
        // Without a working list Sidekiq itself loses a job together with its process.
        if (requeues && (sidekiqNameOf(job.key).part != "working" ||
                         sidekiqHeartbeatKey(sidekiqNameOf(job.key)).isEmpty()))
            return notPossible(ActionText::tr(
                "Sidekiq keeps the jobs of a dead process only with reliable fetch"));
        const std::optional<QByteArray> queued =
            removes ? QByteArray() : queuedAs(job, move.verb, extra);
        if (!queued)
            return notPossible(ActionText::tr("The job is not in Sidekiq's format"));
        plan.args.push_back(QByteArray::number(placeOf(plan.keys, job.key, requeues)));
        plan.args.push_back(job.payload);
        plan.args.push_back(removes ? uniqueLockOf(plan.keys, name.space, job.payload) : *queued);
    }
    const QByteArray& from = jobs.front().key;
    const bool list = from == queue.id.name || sidekiqNameOf(from).part == "working";
    plan.commands = {list ? shown({"LREM", from, "-1", "•••"}) : shown({"ZREM", from, "•••"})};
    if (!removes)
        plan.commands << shown({"LPUSH", queue.id.name, "•••"});
    if (requeues)
        sayOfRequeue(plan, jobs);
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
        plan.args.push_back(
            uniqueLockOf(plan.keys, sidekiqNameOf(queue.id.name).space, job.payload));
    }
    plan.commands = {shown({"ZREM", jobs.front().key, "•••"}),
                     shown({"ZADD", plan.keys[0], "•••", "•••"})};
    return {};
}

QByteArray sidekiqDeadKey(const Primitive& queue)
{
    return sidekiqNameOf(queue.id.name).space + "dead";
}

std::optional<JobFacts> sidekiqFactsIn(const Primitive& queue, const QByteArray& payload)
{
    std::optional<SidekiqJob> job = sidekiqJobOf(payload);
    return job && job->queue == sidekiqNameOf(queue.id.name).queue
               ? std::optional(std::move(job->facts))
               : std::nullopt;
}

// All queues share the set. The score is the time at which the job died.
Read<AgedJobs> sidekiqOldJobs(const Primitive& queue, QByteArray, qint64 beforeMs)
{
    return readAgedPayloads(sidekiqDeadKey(queue),
                            QByteArray::number(double(beforeMs) / 1000, 'f', 3), queue,
                            sidekiqFactsIn);
}

LibraryMove sidekiqMove(JobVerb verb)
{
    if (verb == JobVerb::DeadLetter)
        return {verb,    {"retries", "scheduled"}, {JobRole::Delayed}, "sidekiq-kill", nullptr,
                fillKill};
    if (verb == JobVerb::DiscardOld)
        return {verb, {"dead"}, {}, "sidekiq-jobs", sidekiqTimeRead, fillSidekiq, sidekiqOldJobs};
    switch (verb) {
    case JobVerb::Retry:
        return {verb,
                {"retries", "dead", "interrupted"},
                {JobRole::Delayed, JobRole::Dead},
                "sidekiq-jobs",
                sidekiqTimeRead,
                fillSidekiq};
    case JobVerb::Promote:
        return {verb,           {"scheduled"},   {JobRole::Delayed},
                "sidekiq-jobs", sidekiqTimeRead, fillSidekiq};
    case JobVerb::Requeue: {
        LibraryMove move{verb,           {"busy"},        {JobRole::Processing},
                         "sidekiq-jobs", sidekiqTimeRead, fillSidekiq};
        move.lastFirst = true; // of a fetcher's list the last is the oldest
        return move;
    }
    case JobVerb::Discard:
    case JobVerb::DeadLetter:
    case JobVerb::DiscardOld:
        break;
    }
    return {verb,
            {"dead", "retries", "scheduled", "enqueued", "interrupted"},
            {JobRole::Dead, JobRole::Delayed, JobRole::Ready},
            "sidekiq-jobs",
            sidekiqTimeRead,
            fillSidekiq};
}

// Since Sidekiq 8 times are whole milliseconds, which older versions would take for seconds. A
// waiting job shows the format.
std::vector<Command> waitingJobRead(const Primitive& queue, std::span<const Reply> replies)
{
    return replies.empty() ? std::vector<Command>{{"LINDEX", queue.id.name, "0"}}
                           : std::vector<Command>();
}

Result<void> fillSidekiqPush(Plan& plan, const Primitive& queue, const PushedJob& job,
                             std::span<const Reply> replies)
{
    const SidekiqName name = sidekiqNameOf(queue.id.name);
    const QJsonObject waiting =
        QJsonDocument::fromJson(replies.empty() ? QByteArray() : replies[0].text).object();
    const bool ms = waiting.value(QLatin1String("created_at")).toDouble() > 1e11;
    const QByteArray now =
        ms ? QByteArray::number(job.nowMs) : QByteArray::number(double(job.nowMs) / 1000, 'f', 3);
    const QByteArray payload = R"({"retry":true,"queue":)" + quoted(name.queue) + R"(,"class":)" +
                               quoted(job.name) + R"(,"args":)" + job.payload + R"(,"jid":")" +
                               hexId(job, 24) + R"(","created_at":)" + now + R"(,"enqueued_at":)" +
                               now + '}';
    fillPush(plan, "LPUSH", queue.id.name, payload,
             {{"member", name.space + "queues", {name.queue}}});
    return {};
}

} // namespace

ActionList sidekiqActions()
{
    static const LibraryJobs requeue(sidekiqMove(JobVerb::Requeue));
    static const LibraryJobs retry(sidekiqMove(JobVerb::Retry));
    static const LibraryJobs promote(sidekiqMove(JobVerb::Promote));
    static const LibraryJobs deadLetter(sidekiqMove(JobVerb::DeadLetter));
    static const LibraryJobs discard(sidekiqMove(JobVerb::Discard));
    static const LibraryJobs discardOld(sidekiqMove(JobVerb::DiscardOld));
    static const PushJob push({PushForm::Array, "job-push", waitingJobRead, fillSidekiqPush});
    return {&requeue, &retry, &promote, &deadLetter, &discard, &discardOld, &push};
}

} // namespace lk::actions
