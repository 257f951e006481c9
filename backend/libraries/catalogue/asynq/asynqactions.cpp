// SPDX-License-Identifier: GPL-3.0-or-later
// The job actions of asynq's client and inspector; see lua/actions/asynq/asynq-jobs.lua.
#include "backend/libraries/catalogue/asynq/asynqactions.h"

#include "backend/libraries/catalogue/asynq/asynqnames.h"
#include "backend/libraries/families/jobs/agedjobs.h"
#include "backend/libraries/families/jobs/libraryjobs.h"
#include "backend/libraries/families/jobs/pushjob.h"

namespace lk::actions {

namespace {

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
                 : move.verb == JobVerb::DeadLetter ? "archive"
                                                    : scriptVerb(move.verb)};
    for (const StoredJob& job : jobs) {
        plan.args.push_back(job.facts.id);
        plan.keys.push_back(stem + "t:" + job.facts.id);
    }
    const bool removes = cleans || move.verb == JobVerb::Discard;
    const auto uniqueOf = [&](size_t i) { return move.told[i][0].text; };
    for (size_t i = 0; removes && i < jobs.size(); ++i)
        plan.args.push_back(
            uniqueOf(i).isEmpty() ? "0" : QByteArray::number(keyIndex(plan.keys, uniqueOf(i))));
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

QByteArray asynqSecondsOf(qint64 ms)
{
    return QByteArray::number(ms / 1000);
}

// The score of an archived task is the time at which it was archived.
Read<AgedJobs> oldTasks(const Primitive& queue, QByteArray state, qint64 beforeMs)
{
    return readAgedIds(queue.id.name + ':' + state, asynqSecondsOf(beforeMs), 1000);
}

// Defaults of asynq's own client for its TaskMessage.
constexpr int retriesByDefault = 25;
constexpr int timeoutSeconds = 1800;

void appendVarint(QByteArray& out, quint64 value)
{
    for (; value > 0x7f; value >>= 7)
        out += char(0x80 | (value & 0x7f));
    out += char(value);
}
void appendText(QByteArray& out, int field, const QByteArray& text)
{
    appendVarint(out, quint64(field) << 3 | 2);
    appendVarint(out, quint64(text.size()));
    out += text;
}
void appendNumber(QByteArray& out, int field, int number)
{
    appendVarint(out, quint64(field) << 3);
    appendVarint(out, quint64(number));
}

Result<void> fillTask(Plan& plan, const Primitive& queue, const PushedJob& job,
                      std::span<const Reply>)
{
    const QByteArray stem = queue.id.name + ':';
    const AsynqName name = asynqNameOf(stem + "pending");
    QByteArray message;
    appendText(message, 1, job.name);
    appendText(message, 2, job.payload);
    appendText(message, 3, job.id);
    appendText(message, 4, name.queue);
    appendNumber(message, 5, retriesByDefault);
    appendNumber(message, 8, timeoutSeconds);
    const QByteArray sinceNs = QByteArray::number(job.nowMs) + "000000";
    // The set of all queues already contains its name. On a cluster that set is in another slot.
    fillPush(plan, "LPUSH", stem + "pending", job.id,
             {{"hash",
               stem + "t:" + job.id,
               {"msg", message, "state", "pending", "pending_since", sinceNs}}});
    return {};
}

Result<void> fillAsynqPause(Plan& plan, const LibraryPause& pause, const Primitive& queue,
                            std::span<const Reply>)
{
    plan.keys = {queue.id.name + ":paused"};
    plan.args = {pause.resumes ? "resume" : "pause", "now"};
    plan.commands = {pause.resumes ? shown({"DEL", plan.keys[0]})
                                   : shown({"SET", plan.keys[0], "•••", "NX"})};
    return {};
}

} // namespace

ActionList asynqActions()
{
    static const LibraryJobs retry(
        {JobVerb::Retry, {"archived"}, {JobRole::Dead}, "asynq-jobs", nullptr, fillAsynq});
    static const LibraryJobs requeue(
        {JobVerb::Requeue, {"active"}, {JobRole::Processing}, "asynq-jobs", nullptr, fillAsynq});
    static const LibraryJobs promote({JobVerb::Promote,
                                      {"scheduled", "retry"},
                                      {JobRole::Delayed},
                                      "asynq-jobs",
                                      nullptr,
                                      fillAsynq});
    static const LibraryJobs archive({JobVerb::DeadLetter,
                                      {"pending", "scheduled", "retry"},
                                      {JobRole::Ready, JobRole::Delayed},
                                      "asynq-jobs",
                                      nullptr,
                                      fillAsynq});
    static const LibraryJobs discard(
        {JobVerb::Discard,
         {"archived", "pending", "scheduled", "retry", "completed"},
         {JobRole::Dead, JobRole::Ready, JobRole::Delayed, JobRole::Done},
         "asynq-jobs",
         nullptr,
         fillAsynq,
         nullptr,
         ofTask});
    static const LibraryJobs discardOld({JobVerb::DiscardOld,
                                         {"archived"},
                                         {},
                                         "asynq-jobs",
                                         nullptr,
                                         fillAsynq,
                                         oldTasks,
                                         ofTask});
    static const PushJob push({PushForm::Bytes, "job-push", nullptr, fillTask});
    static const PauseQueue pause({false, "queue-flag", nullptr, fillAsynqPause});
    static const PauseQueue resume({true, "queue-flag", nullptr, fillAsynqPause});
    return {&retry, &requeue, &promote, &archive, &discard, &discardOld, &push, &pause, &resume};
}

} // namespace lk::actions
