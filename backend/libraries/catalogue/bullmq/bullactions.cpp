// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of BullMQ's and Bull's own API on jobs and queues; see
// lua/actions/bullmq/bullmq-jobs.lua.
#include "backend/libraries/catalogue/bullmq/bullactions.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/families/jobs/agedjobs.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/libraryjobs.h"
#include "backend/libraries/families/jobs/pushjob.h"

#include <algorithm>

namespace lk::actions {

namespace {

std::vector<QByteArray> keysOf(const Primitive& queue, std::initializer_list<const char*> parts)
{
    std::vector<QByteArray> keys;
    for (const char* part : parts)
        keys.push_back(queue.id.name + ':' + part);
    return keys;
}

void addJobKeys(std::vector<QByteArray>& keys, const Primitive& queue, const QByteArray& id,
                std::initializer_list<const char*> parts)
{
    const QByteArray job = queue.id.name + ':' + id;
    keys.push_back(job);
    for (const char* part : parts)
        keys.push_back(job + ':' + part);
}

// Returns the key's position in keys, counted from 1. Appends the key if it is missing.
QByteArray placeOf(std::vector<QByteArray>& keys, const QByteArray& key)
{
    const auto known = std::find(keys.begin(), keys.end(), key);
    const auto place = known - keys.begin() + 1;
    if (known == keys.end())
        keys.push_back(key);
    return QByteArray::number(qint64(place));
}

bool isRemoval(JobVerb verb)
{
    return verb == JobVerb::Discard || verb == JobVerb::DiscardOld;
}

// The relatives of a job: keys in which the library refers to it, and those that forbid an action.
enum Relative : size_t { Links, Children, ScheduledNext };
enum LinkField : size_t { Parent, Deduplication, Scheduler };

std::vector<Command> bullMqRelatives(const Primitive& queue, const StoredJob& job,
                                     std::span<const Reply> replies)
{
    if (!replies.empty())
        return {};
    const QByteArray key = queue.id.name + ':' + job.facts.id;
    // repeat:<scheduler>:<ms>
    const QByteArray& id = job.facts.id;
    const qsizetype end = id.lastIndexOf(':');
    const QByteArray scheduler = id.startsWith("repeat:") && end > 7 ? id.mid(7, end - 7) : "";
    return {{"HMGET", key, "parentKey", "deid", "rjk"},
            {"EXISTS", key + ":dependencies"},
            {"ZSCORE", queue.id.name + ":repeat", scheduler}};
}

QString bullMqObjection(const Primitive&, JobVerb verb, const StoredJob& job,
                        std::span<const Reply> replies)
{
    const QString id = displayPreview(job.facts.id, 60);
    const Reply& links = replies[Links];
    if (verb == JobVerb::DeadLetter) {
        if (!fieldText(links, Parent).isEmpty())
            return ActionText::tr("Job %1 has a parent, which only its worker can tell of a "
                                  "failure")
                .arg(id);
        if (!fieldText(links, Scheduler).isEmpty())
            return ActionText::tr("Job %1 is one of the scheduler %2, which only its worker can "
                                  "tell of a failure")
                .arg(id, displayPreview(fieldText(links, Scheduler), 40));
        if (!fieldText(links, Deduplication).isEmpty())
            return ActionText::tr("Job %1 has the deduplication key %2, which only its worker "
                                  "releases on a failure")
                .arg(id, displayPreview(fieldText(links, Deduplication), 40));
    }
    if (!isRemoval(verb))
        return {};
    if (replies[Children].integer > 0)
        return ActionText::tr("Job %1 waits for its children: discard these first").arg(id);
    if (!fieldText(links, Scheduler).isEmpty() && replies[ScheduledNext].isText() &&
        job.facts.id.endsWith(':' + replies[ScheduledNext].text))
        return ActionText::tr("Job %1 is the next one of the scheduler %2: remove the scheduler "
                              "instead")
            .arg(id, displayPreview(fieldText(links, Scheduler), 40));
    return {};
}

// See ARGV of the script.
QByteArray relativesOf(std::vector<QByteArray>& keys, const Primitive& queue, const Reply& links)
{
    QByteArrayList places;
    const QByteArray dedup = fieldText(links, Deduplication);
    for (const char* part : {":de:", ":dn:"})
        places << (dedup.isEmpty() ? "0" : placeOf(keys, queue.id.name + part + dedup));
    const QByteArray parent = fieldText(links, Parent);
    const QByteArray stem = parent.left(parent.lastIndexOf(':') + 1);
    for (const char* part : {"", ":dependencies", ":failed", ":unsuccessful"})
        places << (parent.isEmpty() ? "0" : placeOf(keys, parent + part));
    for (const char* part :
         {"meta", "active", "wait", "paused", "marker", "events", "waiting-children"})
        places << (parent.isEmpty() ? "0" : placeOf(keys, stem + part));
    return places.join(' ');
}

// Returns the script's verb. DiscardOld adds the latest end, so that the script skips jobs that
// have ended again since.
QByteArray askedOf(JobVerb verb, const std::vector<StoredJob>& jobs)
{
    const QByteArray word = scriptVerb(verb);
    return verb == JobVerb::DiscardOld ? word + ' ' + QByteArray::number(lastEndMs(jobs)) : word;
}

// The library's main commands for one job, as a person would type them.
QStringList commandsOf(JobVerb verb, const Primitive& queue, const QByteArray& state,
                       const QByteArray& id)
{
    const QByteArray stem = queue.id.name + ':';
    switch (verb) {
    case JobVerb::Retry:
        return {shown({"ZREM", stem + "failed", id}),
                shown({"HDEL", stem + id, "finishedOn", "processedOn", "failedReason"}),
                shown({"LPUSH", stem + "wait", id})};
    case JobVerb::Promote:
        return {shown({"ZREM", stem + "delayed", id}), shown({"LPUSH", stem + "wait", id})};
    case JobVerb::Requeue:
        return {shown({"LREM", stem + "active", "1", id}), shown({"RPUSH", stem + "wait", id})};
    case JobVerb::DeadLetter:
        return {shown({"LREM", stem + "active", "1", id}),
                shown({"ZADD", stem + "failed", "•••", id}),
                shown({"HSET", stem + id, "failedReason", "•••"})};
    case JobVerb::Discard:
    case JobVerb::DiscardOld:
        break;
    }
    const bool list = state == "wait" || state == "paused";
    return {list ? shown({"LREM", stem + state, "1", id}) : shown({"ZREM", stem + state, id}),
            shown({"DEL", stem + id, stem + id + ":logs"})};
}

// Reads the version, for example "bullmq:5.81.5". majorVersion() returns "5".
std::vector<Command> versionRead(const Primitive& queue)
{
    return {{"HGET", queue.id.name + ":meta", "version"}};
}

Result<QByteArray> majorVersion(std::span<const Reply> replies)
{
    const QByteArray version =
        !replies.empty() && replies[0].isText() ? replies[0].text : QByteArray();
    const QByteArray major = version.mid(qstrlen("bullmq:")).split('.').front();
    if (version.startsWith("bullmq:") && (major == "4" || major == "5" || major == "6"))
        return major;
    return notPossible(
        version.isEmpty()
            ? ActionText::tr("The version of BullMQ that writes this queue is unknown")
            : ActionText::tr("Only BullMQ 4 to 6 are supported, and this queue is written by %1")
                  .arg(displayPreview(version, 40)));
}

// The versions whose script results were compared with those of these actions, by major version.
struct TriedVersion
{
    const char* major;
    int minor;
};
constexpr TriedVersion triedVersions[] = {{"4", 18}, {"5", 81}, {"6", 7}};

// Warns if another minor version writes the queue, because its scripts may differ.
void warnOfUntried(Plan& plan, std::span<const Reply> replies)
{
    const QByteArray version =
        replies.empty() ? QByteArray() : replies[0].text.mid(qstrlen("bullmq:"));
    const QList<QByteArray> parts = version.split('.');
    QStringList tried;
    for (const TriedVersion& one : triedVersions) {
        if (parts.value(0) == one.major && parts.value(1).toInt() == one.minor)
            return;
        tried << QStringLiteral("%1.%2").arg(QLatin1String(one.major)).arg(one.minor);
    }
    const QString warning =
        ActionText::tr("This queue is written by BullMQ %1; the action was tried "
                       "with %2.")
            .arg(displayPreview(version, 40), tried.join(QStringLiteral(", ")));
    plan.consequence =
        plan.consequence.isEmpty() ? warning : plan.consequence + QLatin1Char(' ') + warning;
}

Result<void> fillBullMq(Plan& plan, const LibraryMove& move, const Primitive& queue,
                        const std::vector<StoredJob>& jobs, std::span<const Reply> extra)
{
    const Result<QByteArray> version = majorVersion(extra);
    if (!version)
        return tl::unexpected(version.error());
    warnOfUntried(plan, extra);
    plan.keys =
        keysOf(queue, {"meta", "wait", "paused", "active", "prioritized", "pc", "marker", "events",
                       "delayed", "failed", "completed", "waiting-children", "stalled", "repeat"});
    plan.args = {*version, askedOf(move.verb, jobs), QByteArray::number(qint64(jobs.size()))};
    for (const StoredJob& job : jobs) {
        plan.args.push_back(job.facts.id);
        if (isRemoval(move.verb))
            addJobKeys(plan.keys, queue, job.facts.id,
                       {"lock", "logs", "dependencies", "processed", "failed", "unsuccessful"});
        else
            addJobKeys(plan.keys, queue, job.facts.id, {"lock"});
    }
    const bool related = isRemoval(move.verb) || move.verb == JobVerb::Retry;
    for (size_t i = 0; related && i < jobs.size(); ++i)
        plan.args.push_back(relativesOf(plan.keys, queue, move.told[i][Links]));
    const QByteArray state = jobs.front().key.mid(queue.id.name.size() + 1);
    plan.commands = commandsOf(move.verb, queue, state, jobs.front().facts.id);
    return {};
}

// The job's debounce key, and the rate limiter's set that contains it.
std::vector<Command> bullRelatives(const Primitive& queue, const StoredJob& job,
                                   std::span<const Reply> replies)
{
    if (!replies.empty())
        return {};
    return {{"HGET", queue.id.name + ':' + job.facts.id, "deid"},
            {"HGET", queue.id.name + ":limiter:index", job.facts.id}};
}

QString bullObjection(const Primitive&, JobVerb verb, const StoredJob& job,
                      std::span<const Reply> replies)
{
    return verb == JobVerb::DeadLetter && !replies[0].text.isEmpty()
               ? ActionText::tr("Job %1 has the debounce key %2, which only its worker releases "
                                "on a failure")
                     .arg(displayPreview(job.facts.id, 60), displayPreview(replies[0].text, 40))
               : QString();
}

Result<void> fillBull(Plan& plan, const LibraryMove& move, const Primitive& queue,
                      const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    plan.keys = keysOf(queue, {"wait", "paused", "active", "delayed", "failed", "completed",
                               "priority", "stalled", "meta-paused", "limiter:index"});
    plan.args = {askedOf(move.verb, jobs), QByteArray::number(qint64(jobs.size()))};
    for (const StoredJob& job : jobs) {
        plan.args.push_back(job.facts.id);
        addJobKeys(plan.keys, queue, job.facts.id, {"lock", "logs"});
    }
    for (size_t i = 0; isRemoval(move.verb) && i < jobs.size(); ++i) {
        const QByteArray& debounce = move.told[i][0].text;
        const QByteArray& set = move.told[i][1].text;
        plan.args.push_back(
            (debounce.isEmpty() ? "0" : placeOf(plan.keys, queue.id.name + ":de:" + debounce)) +
            ' ' + (set.isEmpty() ? "0" : placeOf(plan.keys, set)));
    }
    const QByteArray state = jobs.front().key.mid(queue.id.name.size() + 1);
    plan.commands = commandsOf(move.verb, queue, state, jobs.front().facts.id);
    return {};
}

std::vector<Command> versionReads(const Primitive& queue, std::span<const Reply> replies)
{
    return replies.empty() ? versionRead(queue) : std::vector<Command>();
}

Result<void> fillBullMqAdd(Plan& plan, const Primitive& queue, const PushedJob& job,
                           std::span<const Reply> replies)
{
    const Result<QByteArray> version = majorVersion(replies);
    if (!version)
        return tl::unexpected(version.error());
    warnOfUntried(plan, replies);
    plan.keys = keysOf(queue, {"meta", "wait", "paused", "active", "marker", "events", "id"});
    addJobKeys(plan.keys, queue, job.id, {});
    plan.args = {*version, job.id, job.name, job.payload,
                 R"({"jobId":")" + job.id + (*version == "4" ? R"(","delay":0)" : "\"") +
                     R"(,"attempts":0})"};
    plan.commands = {shown({"HSET", plan.keys.back(), "name", job.name, "data", "•••"}),
                     shown({"LPUSH", plan.keys[1], job.id})};
    return {};
}

Result<void> fillBullAdd(Plan& plan, const Primitive& queue, const PushedJob& job,
                         std::span<const Reply>)
{
    plan.keys = keysOf(queue, {"wait", "paused", "meta-paused", "id"});
    addJobKeys(plan.keys, queue, job.id, {});
    plan.args = {job.id, job.name, job.payload,
                 R"({"jobId":")" + job.id + R"(","attempts":1,"delay":0,"timestamp":)" +
                     QByteArray::number(job.nowMs) + '}'};
    plan.commands = {shown({"HSET", plan.keys.back(), "name", job.name, "data", "•••"}),
                     shown({"LPUSH", plan.keys[0], job.id})};
    return {};
}

// Reads the version, the number of jobs that an earlier version has left in the list of a paused
// queue, and the number of waiting jobs.
std::vector<Command> pauseReads(const Primitive& queue)
{
    std::vector<Command> commands = versionRead(queue);
    commands.push_back({"LLEN", queue.id.name + ":paused"});
    commands.push_back({"LLEN", queue.id.name + ":wait"});
    return commands;
}

Result<void> fillBullMqPause(Plan& plan, const LibraryPause& pause, const Primitive& queue,
                             std::span<const Reply> extra)
{
    constexpr qint64 gatheredAtOnce = 1000; // the same value as in the script
    const Result<QByteArray> version = majorVersion(extra);
    if (!version)
        return tl::unexpected(version.error());
    warnOfUntried(plan, extra);
    plan.keys =
        keysOf(queue, {"meta", "wait", "paused", "prioritized", "delayed", "marker", "events"});
    plan.args = {*version, pause.resumes ? "resume" : "pause"};
    plan.commands = {pause.resumes ? shown({"HDEL", plan.keys[0], "paused"})
                                   : shown({"HSET", plan.keys[0], "paused", "1"})};
    if (*version != "6")
        plan.commands.prepend(pause.resumes ? shown({"RENAME", plan.keys[2], plan.keys[1]})
                                            : shown({"RENAME", plan.keys[1], plan.keys[2]}));
    const qint64 left = extra.size() > 1 && extra[1].isInteger() ? extra[1].integer : 0;
    if (*version != "6" || !pause.resumes || left == 0)
        return {};
    plan.consequence +=
        QLatin1Char(' ') + ActionText::tr("%Ln job(s) in the list of an earlier version are put "
                                          "before those that wait.",
                                          nullptr, int(left));
    const bool alone = extra.size() > 2 && extra[2].isInteger() && extra[2].integer == 0;
    if (alone) {
        plan.commands.prepend(shown({"RENAME", plan.keys[2], plan.keys[1]}));
        return {};
    }
    plan.commands.prepend(shown({"RPUSH", plan.keys[1], "…"}));
    plan.commands.prepend(shown({"LPOP", plan.keys[2]}));
    if (left <= gatheredAtOnce)
        return {};
    const Plan last = plan;
    plan.args = {*version, "gather"};
    const Plan gathering = plan;
    for (qint64 done = gatheredAtOnce; left - done > gatheredAtOnce; done += gatheredAtOnce)
        plan.further.push_back(gathering);
    plan.further.push_back(last);
    return {};
}

Result<void> fillBullPause(Plan& plan, const LibraryPause& pause, const Primitive& queue,
                           std::span<const Reply>)
{
    plan.keys = keysOf(queue, {"wait", "paused", "meta-paused", "meta"});
    plan.args = {pause.resumes ? "resume" : "pause"};
    plan.commands = {pause.resumes ? shown({"RENAME", plan.keys[1], plan.keys[0]})
                                   : shown({"RENAME", plan.keys[0], plan.keys[1]}),
                     pause.resumes ? shown({"DEL", plan.keys[2]})
                                   : shown({"SET", plan.keys[2], "1"})};
    return {};
}

// In both sets the score is the time at which the job ended.
Read<AgedJobs> bullOldJobs(const Primitive& queue, QByteArray state, qint64 beforeMs)
{
    return readAgedIds(queue.id.name + ':' + state, QByteArray::number(beforeMs), 1);
}

LibraryMove bullMove(JobVerb verb, bool mq)
{
    LibraryMove move{verb,
                     {},
                     {},
                     mq ? "bullmq-jobs" : "bull-jobs",
                     mq ? versionRead : nullptr,
                     mq ? fillBullMq : fillBull};
    move.ofJob = mq ? bullMqRelatives : bullRelatives;
    move.objection = mq ? bullMqObjection : bullObjection;
    switch (verb) {
    case JobVerb::Retry:
        move.states = {"failed"};
        move.roles = {JobRole::Dead};
        break;
    case JobVerb::Promote:
        move.states = {"delayed"};
        move.roles = {JobRole::Delayed};
        break;
    case JobVerb::Requeue:
        move.states = {"active"};
        move.roles = {JobRole::Processing};
        break;
    case JobVerb::Discard:
        move.states = {"failed", "wait", "delayed", "paused", "completed"};
        if (mq)
            move.states.push_back("prioritized");
        move.roles = {JobRole::Dead, JobRole::Ready, JobRole::Delayed, JobRole::Paused,
                      JobRole::Done};
        break;
    case JobVerb::DeadLetter:
        move.states = {"active"};
        move.roles = {JobRole::Processing};
        break;
    case JobVerb::DiscardOld:
        move.states = {"completed", "failed"};
        move.aged = bullOldJobs;
        break;
    }
    return move;
}

} // namespace

ActionList bullMqActions()
{
    static const LibraryJobs retry(bullMove(JobVerb::Retry, true));
    static const LibraryJobs requeue(bullMove(JobVerb::Requeue, true));
    static const LibraryJobs promote(bullMove(JobVerb::Promote, true));
    static const LibraryJobs deadLetter(bullMove(JobVerb::DeadLetter, true));
    static const LibraryJobs discard(bullMove(JobVerb::Discard, true));
    static const LibraryJobs discardOld(bullMove(JobVerb::DiscardOld, true));
    static const PushJob push({PushForm::Json, "bullmq-add", versionReads, fillBullMqAdd});
    static const PauseQueue pause({false, "bullmq-pause", pauseReads, fillBullMqPause});
    static const PauseQueue resume({true, "bullmq-pause", pauseReads, fillBullMqPause});
    return {&retry, &requeue, &promote, &deadLetter, &discard, &discardOld, &push, &pause, &resume};
}

ActionList bullActions()
{
    static const LibraryJobs retry(bullMove(JobVerb::Retry, false));
    static const LibraryJobs requeue(bullMove(JobVerb::Requeue, false));
    static const LibraryJobs promote(bullMove(JobVerb::Promote, false));
    static const LibraryJobs deadLetter(bullMove(JobVerb::DeadLetter, false));
    static const LibraryJobs discard(bullMove(JobVerb::Discard, false));
    static const LibraryJobs discardOld(bullMove(JobVerb::DiscardOld, false));
    static const PushJob push({PushForm::Json, "bull-add", nullptr, fillBullAdd});
    static const PauseQueue pause({false, "bull-pause", nullptr, fillBullPause});
    static const PauseQueue resume({true, "bull-pause", nullptr, fillBullPause});
    return {&retry, &requeue, &promote, &deadLetter, &discard, &discardOld, &push, &pause, &resume};
}

} // namespace lk::actions
