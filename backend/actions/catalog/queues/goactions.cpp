// SPDX-License-Identifier: GPL-3.0-or-later
// What asynq, gocraft/work and adjust/rmq do with their jobs; see lua/actions/asynq-jobs.lua and
// the others.
#include "backend/actions/catalog/catalog.h"
#include "backend/actions/catalog/libraryjobs.h"
#include "backend/actions/catalog/queues/agedjobs.h"
#include "backend/core/json/jsonedit.h"

#include "backend/core/names/keyname.h"
#include "backend/layouts/queues/jobtexts.h"

#include <algorithm>

namespace lk::actions {

namespace {

constexpr char goHidden[] = "•••"; // a payload is nobody's business

QByteArray verbOf(JobVerb verb)
{
    switch (verb) {
    case JobVerb::Retry:
        return "retry";
    case JobVerb::Promote:
        return "promote";
    case JobVerb::Requeue:
        return "requeue";
    case JobVerb::DeadLetter:
        return "archive";
    case JobVerb::Discard:
    case JobVerb::DiscardOld:
        break;
    }
    return "remove";
}

LibraryMove goMove(JobVerb verb, std::vector<QByteArray> states, std::vector<JobRole> roles,
                   const char* script, decltype(LibraryMove::fill) fill,
                   decltype(LibraryMove::ofJob) ofJob = nullptr)
{
    return {verb, std::move(states), roles, script, nullptr, fill, nullptr, ofJob};
}

// Where a key that many jobs share is in KEYS; there from now on.
qsizetype indexIn(std::vector<QByteArray>& keys, const QByteArray& key)
{
    const auto known = std::find(keys.begin(), keys.end(), key);
    const qsizetype at = known - keys.begin() + 1;
    if (known == keys.end())
        keys.push_back(key);
    return at;
}

// The key that keeps it unique.
std::vector<Command> ofTask(const Primitive& queue, const StoredJob& job,
                            std::span<const Reply> replies)
{
    if (!replies.empty())
        return {};
    return {{"HGET", queue.id.name + ":t:" + job.facts.id, "unique_key"}};
}

Result<void> fillAsynq(Plan& plan, const LibraryMove& move, const Primitive& queue,
                       const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    const QByteArray stem = queue.id.name + ':';
    for (const char* part :
         {"pending", "active", "lease", "scheduled", "retry", "archived", "completed"})
        plan.keys.push_back(stem + part);
    const bool cleans = move.verb == JobVerb::DiscardOld;
    plan.args = {cleans ? "clean " + QByteArray::number(lastEndMs(jobs) / 1000)
                        : verbOf(move.verb)};
    for (const StoredJob& job : jobs) {
        plan.args.push_back(job.facts.id);
        plan.keys.push_back(stem + "t:" + job.facts.id);
    }
    const bool removes = cleans || move.verb == JobVerb::Discard;
    const auto uniqueOf = [&](size_t i) { return move.told[i][0].text; };
    for (size_t i = 0; removes && i < jobs.size(); ++i)
        plan.args.push_back(
            uniqueOf(i).isEmpty() ? "0" : QByteArray::number(indexIn(plan.keys, uniqueOf(i))));
    const QByteArray& id = jobs.front().facts.id;
    const QByteArray& from = jobs.front().key;
    const bool list = from == plan.keys[0] || from == plan.keys[1];
    plan.commands << shown(list ? Command{"LREM", from, "0", id} : Command{"ZREM", from, id});
    if (removes) {
        if (!uniqueOf(0).isEmpty())
            plan.commands << shown({"DEL", uniqueOf(0)});
        plan.commands << shown({"DEL", stem + "t:" + id});
        return {};
    }
    if (move.verb == JobVerb::DeadLetter) {
        plan.commands << shown({"ZADD", stem + "archived", "•••", id})
                      << shown({"HSET", stem + "t:" + id, "state", "archived"});
        return {};
    }
    if (move.verb == JobVerb::Requeue)
        plan.commands << shown({"ZREM", stem + "lease", id});
    plan.commands << shown(
                         {move.verb == JobVerb::Requeue ? "RPUSH" : "LPUSH", stem + "pending", id})
                  << shown({"HSET", stem + "t:" + id, "state", "pending"});
    return {};
}

// The key that keeps a scheduled job unique; a worker drops it when it begins, so that one which
// has failed has none. Older versions do not store it: it ends in the arguments as Go encodes them.
QByteArray uniqueKeyOf(const QByteArray& space, const QByteArray& job)
{
    const auto member = [&](const char* name) { return jsonMember(job, name).value_or(""); };
    if (member("unique") != "true")
        return {};
    if (const QByteArray key = jsonText(jsonObject(job), "unique_key"); !key.isEmpty())
        return key;
    const QByteArray args = member("args");
    return space + "unique:" + jsonText(jsonObject(job), "name") + ':' +
           (args.isEmpty() || args == "null" ? QByteArray() : args + '\n');
}

// "work:jobs:mail" -> "work:", "mail"
Result<void> fillGocraft(Plan& plan, const LibraryMove& move, const Primitive& queue,
                         const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    const QByteArray& main = queue.id.name;
    const qsizetype word = main.indexOf("jobs:");
    if (word < 0)
        return notPossible(
            ActionText::tr("%1 is not a queue name of this library").arg(displayName(main)));
    const QByteArray space = main.left(word);
    const QByteArray& from = jobs.front().key;
    const bool requeues = move.verb == JobVerb::Requeue;
    const bool removes = move.verb == JobVerb::Discard || move.verb == JobVerb::DiscardOld;
    plan.keys = {main, space + "known_jobs", main + ":lock", main + ":lock_info",
                 requeues ? space + "dead" : from};
    plan.args = {verbOf(move.verb), main.mid(word + qsizetype(qstrlen("jobs:")))};
    for (const StoredJob& job : jobs) {
        if (job.payload.isEmpty())
            return notPossible(ActionText::tr("The job is not among the first %1 of its state")
                                   .arg(mostLibraryJobs));
        if (removes) {
            const QByteArray unique =
                from == space + "scheduled" ? uniqueKeyOf(space, job.payload) : "";
            plan.args.push_back(
                (unique.isEmpty() ? "0" : QByteArray::number(indexIn(plan.keys, unique))) + ' ' +
                job.payload);
            continue;
        }
        if (!requeues) {
            plan.args.push_back(job.payload);
            continue;
        }
        const QByteArray& pool = job.facts.worker;
        const qsizetype at = indexIn(plan.keys, job.key);
        indexIn(plan.keys, space + "worker_pools:" + pool);
        plan.args.push_back(QByteArray::number(at) + ' ' + pool + ' ' + job.payload);
    }
    plan.commands << (requeues ? shown({"LREM", from, "-1", goHidden})
                               : shown({"ZREM", from, goHidden}));
    if (!removes)
        plan.commands << shown({"LPUSH", main, goHidden});
    if (requeues)
        plan.commands << shown({"DECR", main + ":lock"})
                      << shown({"HINCRBY", main + ":lock_info", jobs.front().facts.worker, "-1"});
    return {};
}

QByteArray goDeadKey(const Primitive& queue)
{
    const QByteArray& main = queue.id.name;
    return main.left(std::max<qsizetype>(main.indexOf("jobs:"), 0)) + "dead";
}

std::optional<JobFacts> goFactsIn(const Primitive& queue, const QByteArray& payload)
{
    const auto text = [&](const char* member) {
        const QByteArray value = jsonMember(payload, member).value_or(QByteArray());
        return value.startsWith('"') && value.size() > 1 ? value.mid(1, value.size() - 2) : value;
    };
    if (!queue.id.name.endsWith("jobs:" + text("name")) || text("id").isEmpty())
        return std::nullopt;
    JobFacts facts;
    facts.id = text("id");
    facts.finishedMs = text("failed_at").toLongLong() * 1000;
    return facts;
}

QByteArray goSecondsOf(qint64 ms)
{
    return QByteArray::number(ms / 1000);
}

// When a task was archived, and a job died, is its score; the dead of gocraft are in one set.
constexpr AgedReads oldTasks{
    [](const Primitive& queue, const QByteArray& state, qint64 beforeMs,
       std::span<const Reply> replies) {
        return agedReads(queue.id.name + ':' + state, goSecondsOf(beforeMs), replies);
    },
    [](const Primitive& queue, const QByteArray& state, qint64, std::span<const Reply> replies) {
        return agedIds(queue.id.name + ':' + state, 1000, replies);
    }};
constexpr AgedReads goOldJobs{
    [](const Primitive& queue, const QByteArray&, qint64 beforeMs, std::span<const Reply> replies) {
        return agedReads(goDeadKey(queue), goSecondsOf(beforeMs), replies);
    },
    [](const Primitive& queue, const QByteArray&, qint64, std::span<const Reply> replies) {
        return agedPayloads(goDeadKey(queue), queue, replies, goFactsIn);
    }};

Result<void> fillRmq(Plan& plan, const LibraryMove&, const Primitive& queue,
                     const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    plan.keys = {queue.id.name};
    plan.items.clear();
    for (const StoredJob& job : jobs) {
        const qsizetype connection = job.key.indexOf("connection::");
        const qsizetype end = job.key.indexOf("::queue::", connection);
        const qsizetype at = indexIn(plan.keys, job.key);
        indexIn(plan.keys, job.key.left(end) + "::heartbeat");
        plan.items.push_back(job.payload); // a delivery has no other name
        plan.args.push_back(QByteArray::number(at) + ' ' + job.payload);
    }
    plan.commands << shown({"LREM", jobs.front().key, "-1", goHidden})
                  << shown({"LPUSH", queue.id.name, goHidden});
    return {};
}

} // namespace

const Action& retryAsynqJobs()
{
    static const LibraryJobs action(
        goMove(JobVerb::Retry, {"archived"}, {JobRole::Dead}, "asynq-jobs", fillAsynq));
    return action;
}
const Action& promoteAsynqJobs()
{
    static const LibraryJobs action(goMove(JobVerb::Promote, {"scheduled", "retry"},
                                           {JobRole::Delayed}, "asynq-jobs", fillAsynq));
    return action;
}
const Action& requeueAsynqJobs()
{
    static const LibraryJobs action(
        goMove(JobVerb::Requeue, {"active"}, {JobRole::Processing}, "asynq-jobs", fillAsynq));
    return action;
}
const Action& discardAsynqJobs()
{
    static const LibraryJobs action(
        goMove(JobVerb::Discard, {"archived", "pending", "scheduled", "retry", "completed"},
               {JobRole::Dead, JobRole::Ready, JobRole::Delayed, JobRole::Done}, "asynq-jobs",
               fillAsynq, ofTask));
    return action;
}
const Action& archiveAsynqJobs()
{
    static const LibraryJobs action(goMove(JobVerb::DeadLetter, {"pending", "scheduled", "retry"},
                                           {JobRole::Ready, JobRole::Delayed}, "asynq-jobs",
                                           fillAsynq));
    return action;
}
const Action& discardOldAsynqJobs()
{
    static const LibraryJobs action({JobVerb::DiscardOld,
                                     {"archived"},
                                     {},
                                     "asynq-jobs",
                                     nullptr,
                                     fillAsynq,
                                     &oldTasks,
                                     ofTask});
    return action;
}
const Action& discardOldGocraftJobs()
{
    static const LibraryJobs action(
        {JobVerb::DiscardOld, {"dead"}, {}, "gocraft-jobs", nullptr, fillGocraft, &goOldJobs});
    return action;
}
const Action& retryGocraftJobs()
{
    static const LibraryJobs action(
        goMove(JobVerb::Retry, {"dead"}, {JobRole::Dead}, "gocraft-jobs", fillGocraft));
    return action;
}
const Action& promoteGocraftJobs()
{
    static const LibraryJobs action(goMove(JobVerb::Promote, {"scheduled", "retry"},
                                           {JobRole::Delayed}, "gocraft-jobs", fillGocraft));
    return action;
}
const Action& requeueGocraftJobs()
{
    static const LibraryJobs action(goMove(JobVerb::Requeue, {"in-progress"}, {JobRole::Processing},
                                           "gocraft-jobs", fillGocraft));
    return action;
}
const Action& discardGocraftJobs()
{
    static const LibraryJobs action(goMove(JobVerb::Discard, {"dead", "scheduled", "retry"},
                                           {JobRole::Dead, JobRole::Delayed}, "gocraft-jobs",
                                           fillGocraft));
    return action;
}
const Action& returnRmqDeliveries()
{
    static const LibraryJobs action(
        goMove(JobVerb::Requeue, {"unacked"}, {JobRole::Processing}, "rmq-return", fillRmq));
    return action;
}

} // namespace lk::actions
