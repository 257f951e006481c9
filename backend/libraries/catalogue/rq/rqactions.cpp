// SPDX-License-Identifier: GPL-3.0-or-later
// The job actions of RQ's own registries and jobs; see lua/actions/rq/rq-jobs.lua.
#include "backend/libraries/catalogue/rq/rqactions.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/catalogue/rq/rqjobs.h"
#include "backend/libraries/catalogue/rq/rqnames.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/agedjobs.h"
#include "backend/libraries/families/jobs/jobtexts.h"
#include "backend/libraries/families/jobs/libraryjobs.h"
#include "backend/libraries/families/jobs/pickle.h"
#include "backend/libraries/families/jobs/pushjob.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lk::actions {

namespace {

// RQ writes the time of enqueuing with microseconds.
QByteArray timeText(std::span<const Reply> time)
{
    if (time.empty() || time[0].items.size() != 2)
        return {};
    const qint64 seconds = time[0].items[0].text.toLongLong();
    const QDateTime moment = QDateTime::fromSecsSinceEpoch(seconds).toUTC();
    return moment.toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss")).toLatin1() + '.' +
           time[0].items[1].text.rightJustified(6, '0') + 'Z';
}

// Returns zlib's format, without the length that Qt adds in front.
QByteArray compressed(const QByteArray& text)
{
    return qCompress(text).mid(4);
}

// Returns the last microsecond of that millisecond, and its second.
QByteArray endText(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms)
               .toUTC()
               .toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss.zzz"))
               .toLatin1() +
           "999Z " + QByteArray::number(ms / 1000);
}

std::vector<Command> rqTimeRead(const Primitive&)
{
    return {{"TIME"}};
}

constexpr int mostDependents = 1000;

Command setRead(const QByteArray& key)
{
    return {"SSCAN", key, "0", "COUNT", QByteArray::number(mostDependents)};
}

std::span<const Reply> membersIn(const Reply& scanned)
{
    return scanned.items.size() == 2 ? std::span<const Reply>(scanned.items[1].items)
                                     : std::span<const Reply>();
}

// A member may be the whole key of a job.
QByteArray rqIdOf(const QByteArray& stem, const QByteArray& member)
{
    const QByteArray start = rqJobKey(stem, {});
    return member.startsWith(start) ? member.mid(start.size()) : member;
}

// Reads the job's dependents, then the queue and the other dependencies of each one.
std::vector<Command> rqDependents(const Primitive& queue, const StoredJob& job,
                                  std::span<const Reply> replies)
{
    const QByteArray stem = rqNameOf(queue.id.name).stem;
    if (replies.empty())
        return {setRead(rqJobKey(stem, job.facts.id) + ":dependents")};
    std::vector<Command> commands;
    for (const Reply& member :
         replies.size() == 1 ? membersIn(replies[0]) : std::span<const Reply>()) {
        const QByteArray id = rqIdOf(stem, member.text);
        commands.push_back({"HGET", rqJobKey(stem, id), "origin"});
        commands.push_back(setRead(stem + "job::" + id + ":dependencies"));
    }
    return commands;
}

QString rqObjection(const Primitive&, JobVerb, const StoredJob& job, std::span<const Reply> replies)
{
    return replies[0].items.size() == 2 && replies[0].items[0].text != "0"
               ? ActionText::tr("Job %1 has more than %2 dependents")
                     .arg(displayPreview(job.facts.id, 60))
                     .arg(mostDependents)
               : QString();
}

// See ARGV of the script.
void addDependents(Plan& plan, const RqName& rq, const QByteArray& id,
                   std::span<const Reply> replies)
{
    const auto place = [&](const QByteArray& key) {
        auto at = std::find(plan.keys.begin(), plan.keys.end(), key);
        if (at == plan.keys.end())
            at = plan.keys.insert(at, key);
        return QByteArray::number(at - plan.keys.begin() + 1);
    };
    const std::span<const Reply> members = membersIn(replies[0]);
    plan.args.push_back(QByteArray::number(qint64(members.size())));
    for (size_t i = 0; i < members.size(); ++i) {
        const QByteArray dependent = rqIdOf(rq.stem, members[i].text);
        const QByteArray origin = replies[1 + 2 * i].text;
        QByteArrayList places{place(rqJobKey(rq.stem, dependent)),
                              place(rq.stem + "queue:" + origin),
                              place(rq.stem + "deferred:" + origin)};
        for (const Reply& other : membersIn(replies[2 + 2 * i])) {
            const QByteArray otherId = rqIdOf(rq.stem, other.text);
            if (otherId != id)
                places << place(rqJobKey(rq.stem, otherId));
        }
        plan.args.insert(plan.args.end(), {members[i].text, dependent, places.join(' ')});
    }
}

Result<void> fillRq(Plan& plan, const LibraryMove& move, const Primitive& queue,
                    const std::vector<StoredJob>& jobs, std::span<const Reply> extra)
{
    const RqName rq = rqNameOf(queue.id.name);
    plan.keys = {queue.id.name, rq.stem + "queues"};
    for (const char* registry : {"wip", "scheduled", "failed", "finished", "canceled"})
        plan.keys.push_back(rq.stem + registry + ':' + rq.queue);
    plan.args = {scriptVerb(move.verb),
                 move.verb == JobVerb::DiscardOld ? endText(lastEndMs(jobs)) : timeText(extra)};
    if (move.verb == JobVerb::DeadLetter) {
        const QByteArray at = QByteArray(plan.args[1]).replace('T', ' ').chopped(1);
        plan.args.push_back(compressed("Moved to FailedJobRegistry at " + at));
        plan.args.push_back(QByteArray::number(qint64(jobs.size())));
    }
    for (const StoredJob& job : jobs) {
        const QByteArray& id = job.facts.id;
        const QByteArray key = rqJobKey(rq.stem, id);
        plan.args.push_back(id);
        plan.keys.insert(plan.keys.end(),
                         {key, rq.stem + "results:" + id, key + ":dependents",
                          rq.stem + "job::" + id + ":dependencies", rq.stem + "executions:" + id,
                          rq.stem + "worker:" + job.facts.worker});
    }
    for (size_t i = 0; move.verb == JobVerb::DeadLetter && i < jobs.size(); ++i)
        addDependents(plan, rq, jobs[i].facts.id, move.told[i]);
    const QByteArray& id = jobs.front().facts.id;
    const QByteArray from = jobs.front().key.isEmpty() ? plan.keys[4] : jobs.front().key;
    if (move.verb == JobVerb::Discard || move.verb == JobVerb::DiscardOld) {
        plan.commands = {from == queue.id.name ? shown({"LREM", from, "1", id})
                                               : shown({"ZREM", from, id}),
                         shown({"DEL", rqJobKey(rq.stem, id), rq.stem + "results:" + id})};
        return {};
    }
    if (move.verb == JobVerb::DeadLetter) {
        plan.commands = {shown({"ZREM", from, id}),
                         shown({"HSET", rqJobKey(rq.stem, id), "status", "failed"}),
                         shown({"ZADD", plan.keys[4], "•••", id})};
        plan.guard = ActionText::tr("each job is still in progress and its worker has not renewed "
                                    "it in time");
        plan.consequence +=
            QLatin1Char(' ') +
            ActionText::tr("As RQ does it, a job with retries left is queued or scheduled again "
                           "instead, and jobs that depend on a failed one and allow that are "
                           "queued.");
        return {};
    }
    plan.commands = {shown({"ZREM", from, id}),
                     shown({"HSET", rqJobKey(rq.stem, id), "status", "queued"}),
                     shown({"RPUSH", queue.id.name, id})};
    return {};
}

// The oldest expire first. The time at which a job ended is in its hash.
Read<AgedJobs> rqOldJobs(const Primitive& queue, QByteArray state, qint64 beforeMs)
{
    const RqName rq = rqNameOf(queue.id.name);
    const QByteArray key = rq.stem + state + ':' + rq.queue;
    std::vector<Command> oldest{
        {"ZRANGE", key, "0", QByteArray::number(mostAgedJobs - 1), "WITHSCORES"}};
    const std::vector<Reply> listed = co_await ask(std::move(oldest));
    const std::vector<ScoredMember> ids = scoredMembersOf(listed[0]);
    std::vector<Command> hashes;
    for (const ScoredMember& id : ids)
        hashes.push_back(rqJobRead(rq.stem, id.member));
    const std::vector<Reply> fields = co_await ask(std::move(hashes));
    AgedJobs aged;
    for (size_t i = 0; i < ids.size(); ++i) {
        StoredJob job{key, {}};
        job.facts = rqJobOf(ids[i].member, fields[i], nullptr);
        if (state == "failed" && !job.facts.finishedMs)
            job.facts.finishedMs = rqFailedMs(fields[i], ids[i].score);
        if (job.facts.finishedMs.value_or(beforeMs) < beforeMs)
            aged.jobs.push_back(std::move(job));
    }
    aged.count = qint64(aged.jobs.size());
    aged.andMore = aged.count == mostAgedJobs;
    co_return aged;
}

Result<void> fillRqPause(Plan& plan, const LibraryPause& pause, const Primitive& queue,
                         std::span<const Reply>)
{
    const RqName rq = rqNameOf(queue.id.name);
    if (rq.stem != "rq:")
        return notPossible(
            ActionText::tr("RQ has no prefix for the key that suspends its workers"));
    plan.keys = {rq.stem + "suspended"};
    plan.args = {pause.resumes ? "resume" : "pause", "1"};
    plan.commands = {pause.resumes ? shown({"DEL", plan.keys[0]})
                                   : shown({"SET", plan.keys[0], "1"})};
    plan.consequence =
        pause.resumes ? ActionText::tr("All RQ workers of this server take jobs again.")
                      : ActionText::tr("All RQ workers of this server finish their current jobs "
                                       "and take no new ones; new jobs wait.");
    return {};
}

LibraryMove rqMove(JobVerb verb)
{
    switch (verb) {
    case JobVerb::Retry:
        return {verb, {"failed"}, {JobRole::Dead}, "rq-jobs", rqTimeRead, fillRq};
    case JobVerb::Promote:
        return {verb, {"scheduled"}, {JobRole::Delayed}, "rq-jobs", rqTimeRead, fillRq};
    case JobVerb::Requeue:
        return {verb, {"started"}, {JobRole::Processing}, "rq-jobs", rqTimeRead, fillRq};
    case JobVerb::DeadLetter:
        return {verb,   {"started"}, {JobRole::Processing}, "rq-jobs",  rqTimeRead,
                fillRq, nullptr,     rqDependents,          rqObjection};
    case JobVerb::DiscardOld:
        return {verb,     {"finished", "failed", "canceled"}, {}, "rq-jobs", nullptr, fillRq,
                rqOldJobs};
    case JobVerb::Discard:
        break;
    }
    return {verb,
            {"failed", "queued", "scheduled", "finished", "canceled"},
            {JobRole::Dead, JobRole::Ready, JobRole::Delayed, JobRole::Done},
            "rq-jobs",
            rqTimeRead,
            fillRq};
}

constexpr qsizetype mostDataBytes = 64 * 1024; // the largest sample job that is read for its format

// Reads the next waiting job for the format of its data.
std::vector<Command> waitingJobReads(const Primitive& queue, std::span<const Reply> replies)
{
    if (replies.empty())
        return {{"LINDEX", queue.id.name, "0"}};
    if (replies.size() > 1 || !replies[0].isText())
        return {};
    return {{"HGET", rqJobKey(rqNameOf(queue.id.name).stem, replies[0].text), "data"}};
}

QByteArray rqTime(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms)
               .toUTC()
               .toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss.zzz"))
               .toLatin1() +
           "000Z";
}

Result<void> fillRqPush(Plan& plan, const Primitive& queue, const PushedJob& job,
                        std::span<const Reply> replies)
{
    const RqName rq = rqNameOf(queue.id.name);
    const CallArguments given = callOf(job.payload);
    const QByteArray stored = replies.size() > 1 ? replies[1].text : QByteArray();
    const QByteArray unpacked = inflated(stored, mostDataBytes);
    const bool asJson = (unpacked.isEmpty() ? stored : unpacked).startsWith('[');
    const QJsonArray call{QString::fromUtf8(job.name), QJsonValue(), given.args, given.kwargs};
    const QByteArray data = asJson ? compact(call) : pickled(call);
    const QByteArray now = rqTime(job.nowMs);
    const QByteArray what = job.name + '(' + compact(given.args).mid(1).chopped(1) + ')';
    constexpr qsizetype qtsOwnHeader = 4;
    fillPush(plan, "RPUSH", queue.id.name, job.id,
             {{"hash",
               rqJobKey(rq.stem, job.id),
               {"created_at",  now,      "data",        qCompress(data).mid(qtsOwnHeader),
                "origin",      rq.queue, "description", what,
                "enqueued_at", now,      "started_at",  "",
                "ended_at",    "",       "timeout",     "180",
                "status",      "queued", "worker_name", ""}},
              {"member", rq.stem + "queues", {queue.id.name}}});
    return {};
}

} // namespace

ActionList rqActions()
{
    static const LibraryJobs requeue(rqMove(JobVerb::Requeue));
    static const LibraryJobs retry(rqMove(JobVerb::Retry));
    static const LibraryJobs promote(rqMove(JobVerb::Promote));
    static const LibraryJobs deadLetter(rqMove(JobVerb::DeadLetter));
    static const LibraryJobs discard(rqMove(JobVerb::Discard));
    static const LibraryJobs discardOld(rqMove(JobVerb::DiscardOld));
    static const PushJob push({PushForm::Arguments, "job-push", waitingJobReads, fillRqPush});
    static const PauseQueue pause({false, "queue-flag", nullptr, fillRqPause});
    static const PauseQueue resume({true, "queue-flag", nullptr, fillRqPause});
    return {&requeue, &retry, &promote, &deadLetter, &discard, &discardOld, &push, &pause, &resume};
}

} // namespace lk::actions
