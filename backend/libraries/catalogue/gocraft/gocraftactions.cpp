// SPDX-License-Identifier: GPL-3.0-or-later
// The job actions of gocraft/work; see lua/actions/gocraft/gocraft-jobs.lua.
#include "backend/libraries/catalogue/gocraft/gocraftactions.h"

#include "backend/core/json/jsonedit.h"
#include "backend/core/names/keyname.h"
#include "backend/libraries/families/jobs/agedjobs.h"
#include "backend/libraries/families/jobs/jobtexts.h"
#include "backend/libraries/families/jobs/libraryjobs.h"
#include "backend/libraries/families/jobs/pushjob.h"

#include <algorithm>

namespace lk::actions {

namespace {

// The key that keeps a scheduled job unique. A worker deletes it when it begins, so a failed job
// has none. Older versions do not store its name, which ends in the arguments as Go encodes them.
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
    plan.args = {scriptVerb(removes ? JobVerb::Discard : move.verb),
                 main.mid(word + qsizetype(qstrlen("jobs:")))};
    for (const StoredJob& job : jobs) {
        if (job.payload.isEmpty())
            return notPossible(ActionText::tr("The job is not among the first %1 of its state")
                                   .arg(mostLibraryJobs));
        if (removes) {
            const QByteArray unique =
                from == space + "scheduled" ? uniqueKeyOf(space, job.payload) : "";
            plan.args.push_back(
                (unique.isEmpty() ? "0" : QByteArray::number(keyIndex(plan.keys, unique))) + ' ' +
                job.payload);
            continue;
        }
        if (!requeues) {
            plan.args.push_back(job.payload);
            continue;
        }
        const QByteArray& pool = job.facts.worker;
        const qsizetype at = keyIndex(plan.keys, job.key);
        keyIndex(plan.keys, space + "worker_pools:" + pool);
        plan.args.push_back(QByteArray::number(at) + ' ' + pool + ' ' + job.payload);
    }
    plan.commands << (requeues ? shown({"LREM", from, "-1", hiddenPayload})
                               : shown({"ZREM", from, hiddenPayload}));
    if (!removes)
        plan.commands << shown({"LPUSH", main, hiddenPayload});
    if (requeues)
        plan.commands << shown({"DECR", main + ":lock"})
                      << shown({"HINCRBY", main + ":lock_info", jobs.front().facts.worker, "-1"});
    return {};
}

QByteArray deadKeyOf(const Primitive& queue)
{
    const QByteArray& main = queue.id.name;
    return main.left(std::max<qsizetype>(main.indexOf("jobs:"), 0)) + "dead";
}

std::optional<JobFacts> factsIn(const Primitive& queue, const QByteArray& payload)
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

// All dead jobs are in one set.
Read<AgedJobs> oldJobs(const Primitive& queue, QByteArray, qint64 beforeMs)
{
    return readAgedPayloads(deadKeyOf(queue), QByteArray::number(beforeMs / 1000), queue, factsIn);
}

Result<void> fillGocraftPush(Plan& plan, const Primitive& queue, const PushedJob& job,
                             std::span<const Reply>)
{
    const QByteArray& main = queue.id.name;
    const qsizetype word = main.indexOf("jobs:");
    if (word < 0)
        return notPossible(ActionText::tr("The queue is not named as the library names one"));
    const QByteArray name = main.mid(word + qsizetype(qstrlen("jobs:")));
    const QByteArray payload = R"({"name":)" + quoted(name) + R"(,"id":")" + hexId(job, 24) +
                               R"(","t":)" + QByteArray::number(job.nowMs / 1000) + R"(,"args":)" +
                               job.payload + '}';
    fillPush(plan, "LPUSH", main, payload, {{"member", main.left(word) + "known_jobs", {name}}});
    return {};
}

} // namespace

ActionList gocraftActions()
{
    static const LibraryJobs retry(
        {JobVerb::Retry, {"dead"}, {JobRole::Dead}, "gocraft-jobs", nullptr, fillGocraft});
    static const LibraryJobs requeue({JobVerb::Requeue,
                                      {"in-progress"},
                                      {JobRole::Processing},
                                      "gocraft-jobs",
                                      nullptr,
                                      fillGocraft});
    static const LibraryJobs promote({JobVerb::Promote,
                                      {"scheduled", "retry"},
                                      {JobRole::Delayed},
                                      "gocraft-jobs",
                                      nullptr,
                                      fillGocraft});
    static const LibraryJobs discard({JobVerb::Discard,
                                      {"dead", "scheduled", "retry"},
                                      {JobRole::Dead, JobRole::Delayed},
                                      "gocraft-jobs",
                                      nullptr,
                                      fillGocraft});
    static const LibraryJobs discardOld(
        {JobVerb::DiscardOld, {"dead"}, {}, "gocraft-jobs", nullptr, fillGocraft, oldJobs});
    static const PushJob push({PushForm::Object, "job-push", nullptr, fillGocraftPush});
    return {&retry, &requeue, &promote, &discard, &discardOld, &push};
}

} // namespace lk::actions
