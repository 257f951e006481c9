// SPDX-License-Identifier: GPL-3.0-or-later
// What BullMQ's and Bull's own API does with jobs and queues; see lua/actions/bullmq-jobs.lua.
#include "backend/actions/catalog/catalog.h"
#include "backend/actions/catalog/libraryjobs.h"
#include "backend/actions/catalog/queues/agedjobs.h"
#include "backend/actions/catalog/queues/pushjob.h"

#include "backend/core/names/keyname.h"

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

// What a script is to do; of old jobs only with those that have not ended anew since.
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

// Of "bullmq:5.81.5": its major version.
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

Result<void> fillBullMq(Plan& plan, const LibraryMove& move, const Primitive& queue,
                        const std::vector<StoredJob>& jobs, std::span<const Reply> extra)
{
    const Result<QByteArray> version = majorVersion(extra);
    if (!version)
        return tl::unexpected(version.error());
    plan.keys =
        keysOf(queue, {"meta", "wait", "paused", "active", "prioritized", "pc", "marker", "events",
                       "delayed", "failed", "completed", "waiting-children", "stalled", "repeat"});
    plan.args = {*version, askedOf(move.verb, jobs)};
    for (const StoredJob& job : jobs) {
        plan.args.push_back(job.facts.id);
        if (move.verb == JobVerb::Discard || move.verb == JobVerb::DiscardOld)
            addJobKeys(plan.keys, queue, job.facts.id,
                       {"lock", "logs", "dependencies", "processed", "failed", "unsuccessful"});
        else
            addJobKeys(plan.keys, queue, job.facts.id, {"lock"});
    }
    const QByteArray state = jobs.front().key.mid(queue.id.name.size() + 1);
    plan.commands = commandsOf(move.verb, queue, state, jobs.front().facts.id);
    return {};
}

Result<void> fillBull(Plan& plan, const LibraryMove& move, const Primitive& queue,
                      const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    plan.keys = keysOf(queue, {"wait", "paused", "active", "delayed", "failed", "completed",
                               "priority", "stalled", "meta-paused"});
    plan.args = {askedOf(move.verb, jobs)};
    for (const StoredJob& job : jobs) {
        plan.args.push_back(job.facts.id);
        addJobKeys(plan.keys, queue, job.facts.id, {"lock", "logs"});
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
    plan.keys = keysOf(queue, {"meta", "wait", "paused", "active", "marker", "events", "id"});
    addJobKeys(plan.keys, queue, job.id, {});
    plan.args = {*version, job.id, job.name, job.payload, R"({"attempts":1})"};
    plan.commands = {shown({"HSET", plan.keys.back(), "name", job.name, "data", "•••"}),
                     shown({"LPUSH", plan.keys[1], job.id})};
    return {};
}

Result<void> fillBullAdd(Plan& plan, const Primitive& queue, const PushedJob& job,
                         std::span<const Reply>)
{
    plan.keys = keysOf(queue, {"wait", "paused", "meta-paused", "id"});
    addJobKeys(plan.keys, queue, job.id, {});
    plan.args = {job.id, job.name, job.payload, R"({"attempts":1,"delay":0})"};
    plan.commands = {shown({"HSET", plan.keys.back(), "name", job.name, "data", "•••"}),
                     shown({"LPUSH", plan.keys[0], job.id})};
    return {};
}

Result<void> fillBullMqPause(Plan& plan, const LibraryPause& pause, const Primitive& queue,
                             std::span<const Reply> extra)
{
    const Result<QByteArray> version = majorVersion(extra);
    if (!version)
        return tl::unexpected(version.error());
    plan.keys =
        keysOf(queue, {"meta", "wait", "paused", "prioritized", "delayed", "marker", "events"});
    plan.args = {*version, pause.resumes ? "resume" : "pause"};
    plan.commands = {pause.resumes ? shown({"HDEL", plan.keys[0], "paused"})
                                   : shown({"HSET", plan.keys[0], "paused", "1"})};
    if (*version != "6")
        plan.commands.prepend(pause.resumes ? shown({"RENAME", plan.keys[2], plan.keys[1]})
                                            : shown({"RENAME", plan.keys[1], plan.keys[2]}));
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

// When they ended is their score in both sets.
constexpr AgedReads oldJobs{
    [](const Primitive& queue, const QByteArray& state, qint64 beforeMs,
       std::span<const Reply> replies) {
        return agedReads(queue.id.name + ':' + state, QByteArray::number(beforeMs), replies);
    },
    [](const Primitive& queue, const QByteArray& state, qint64, std::span<const Reply> replies) {
        return agedIds(queue.id.name + ':' + state, 1, replies);
    }};

LibraryMove moveOf(JobVerb verb, bool mq)
{
    LibraryMove move{verb,
                     {},
                     {},
                     mq ? "bullmq-jobs" : "bull-jobs",
                     mq ? versionRead : nullptr,
                     mq ? fillBullMq : fillBull};
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
        move.aged = &oldJobs;
        break;
    }
    return move;
}

} // namespace

const Action& retryBullMqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Retry, true));
    return action;
}
const Action& promoteBullMqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Promote, true));
    return action;
}
const Action& requeueBullMqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Requeue, true));
    return action;
}
const Action& discardBullMqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Discard, true));
    return action;
}
const Action& deadLetterBullMqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::DeadLetter, true));
    return action;
}
const Action& discardOldBullMqJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::DiscardOld, true));
    return action;
}
const Action& deadLetterBullJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::DeadLetter, false));
    return action;
}
const Action& discardOldBullJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::DiscardOld, false));
    return action;
}
const Action& addBullMqJob()
{
    static const PushJob action({PushForm::Json, "bullmq-add", versionReads, fillBullMqAdd});
    return action;
}
const Action& addBullJob()
{
    static const PushJob action({PushForm::Json, "bull-add", nullptr, fillBullAdd});
    return action;
}
const Action& pauseBullMq()
{
    static const PauseQueue action({false, "bullmq-pause", versionRead, fillBullMqPause});
    return action;
}
const Action& resumeBullMq()
{
    static const PauseQueue action({true, "bullmq-pause", versionRead, fillBullMqPause});
    return action;
}
const Action& retryBullJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Retry, false));
    return action;
}
const Action& promoteBullJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Promote, false));
    return action;
}
const Action& requeueBullJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Requeue, false));
    return action;
}
const Action& discardBullJobs()
{
    static const LibraryJobs action(moveOf(JobVerb::Discard, false));
    return action;
}
const Action& pauseBull()
{
    static const PauseQueue action({false, "bull-pause", nullptr, fillBullPause});
    return action;
}
const Action& resumeBull()
{
    static const PauseQueue action({true, "bull-pause", nullptr, fillBullPause});
    return action;
}

} // namespace lk::actions
