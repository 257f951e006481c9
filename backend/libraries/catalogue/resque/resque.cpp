// SPDX-License-Identifier: GPL-3.0-or-later
// Resque (https://github.com/resque/resque) and node-resque, which share their keys. A queue is the
// list <namespace>:queue:<queue> of JSON with a class and its arguments. Jobs are pushed on the
// right and taken from the left. All queues share the other keys: the set :workers of
// "<host>:<pid>:<queue>,<queue>", :worker:<worker> with its job, the list :failed, and
// :delayed_queue_schedule with a list :delayed:<second> each. This queue's share of them is counted
// within bounds. Beyond these it is unknown.
#include "backend/core/names/keyname.h"
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/catalogue/resque/resqueactions.h"
#include "backend/libraries/catalogue/resque/resquejobs.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/setpage.h"
#include "backend/redis/server/serverinfo.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 mostWorkers = 100;
constexpr qint64 mostSeconds = 50; ///< the most seconds of the schedule that are read
constexpr qint64 mostDelayedEach = 20;
constexpr qint64 mostFailed = 20; ///< for a table's row; failuresRead for a detail pane
constexpr qint64 mostListed = 200;

// The names of the lock in resque-scheduler and node-resque.
constexpr const char* schedulerLocks[] = {"resque_scheduler_master_lock",
                                          "resque_scheduler_leader_lock"};

QByteArray number(qint64 n)
{
    return QByteArray::number(n);
}

using Names = std::vector<QByteArray>;

// A worker, and the text of the job that it works on.
struct Working
{
    ResqueWorker worker;
    QByteArray member;
    QByteArray job;
};

// The heartbeats of these workers, and the job and the ping of each. context: null if the server's
// time is read as well.
Read<std::vector<Working>> readWorkers(QByteArray space, Names members, const ReadContext* context)
{
    std::vector<Working> workers;
    if (members.empty())
        co_return workers;
    Command heartbeats{"HMGET", space + "workers:heartbeat"};
    for (const QByteArray& member : members)
        heartbeats << member;
    std::vector<Command> commands{std::move(heartbeats)};
    for (const QByteArray& member : members) {
        commands.push_back({"GET", space + "worker:" + member});
        commands.push_back({"GET", space + "worker:ping:" + resqueWorkerName(member)});
    }
    if (!context)
        commands.push_back({"TIME"});
    const std::vector<Reply> replies = co_await ask(std::move(commands));
    const qint64 nowMs = context ? context->nowMs : timeFromReply(replies.back()).value_or(0);
    for (size_t i = 0; i < members.size(); ++i) {
        const Reply& on = replies[1 + 2 * i];
        workers.push_back(
            {resqueWorkerOf(members[i], fieldText(replies[0], i), on, replies[2 + 2 * i], nowMs),
             members[i], on.text});
    }
    co_return workers;
}

// A job in a list of its second, and when it is due.
struct Due
{
    QByteArray second;
    QByteArray text;
    ResqueJob job;
};

// The jobs of these seconds, of all queues.
struct DueJobsRead
{
    std::vector<Due> jobs;
    bool wasCut = false; ///< a second has more than were read
};
Read<DueJobsRead> readDue(QByteArray space, Names seconds)
{
    std::vector<Command> commands;
    for (const QByteArray& second : seconds)
        commands.push_back({"LRANGE", space + "delayed:" + second, "0", number(mostDelayedEach)});
    const std::vector<Reply> replies = co_await ask(std::move(commands));
    DueJobsRead found;
    for (size_t i = 0; i < seconds.size(); ++i) {
        found.wasCut = found.wasCut || qint64(replies[i].items.size()) > mostDelayedEach;
        for (const Reply& job : replies[i].items) {
            found.jobs.push_back({seconds[i], job.text, resqueJobOf(job.text)});
            found.jobs.back().job.facts.dueMs = timeMs(seconds[i]);
        }
    }
    co_return found;
}

// This queue's failures among the last ones of all queues.
Read<std::vector<JobFacts>> readFailed(QByteArray space, QByteArray queue, qint64 most)
{
    std::vector<Command> commands;
    if (most > 0)
        commands.push_back({"LRANGE", space + "failed", number(-most), "-1"});
    std::vector<JobFacts> failed;
    for (const Reply& entries : co_await ask(std::move(commands))) {
        for (const Reply& entry : entries.items) {
            if (ResqueJob job = resqueFailureOf(entry.text); job.queue == queue)
                failed.push_back(std::move(job.facts));
        }
    }
    co_return failed;
}

class Resque final : public Layout, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("resque"); }
    QString title() const override { return LayoutText::tr("Resque queue"); }
    Kind kind() const override { return Kind::Queue; }
    QByteArray mainRole() const override { return QByteArrayLiteral("queue"); }
    KeyType mainType() const override { return KeyType::List; }
    bool allowsKeyActions() const override { return false; }
    ActionList actions() const override { return actions::resqueActions(); }
    bool wants(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::String || type == KeyType::Set;
    }
    std::vector<QByteArray> nameParts(KeyType type) const override
    {
        if (type == KeyType::Set)
            return {":queues", ":workers"};
        if (type == KeyType::String)
            return {":worker:"};
        return {":failed", ":queue:", ":delayed:"};
    }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        const ResqueName own = resqueNameOf(name, type);
        if (own.space.isEmpty())
            return {};
        if (own.part == "queues")
            return {own.space + ":workers", own.space + ":stat:processed"};
        return {own.space + ":queues", own.space + ":workers"};
    }
    QByteArray stemOf(const QByteArray& name) const override
    {
        return resqueNameOf(name, KeyType::List).space + ":queue:";
    }
    // Returns the owner of the keys that all queues of the namespace share.
    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const QByteArray space = resqueSpaceOf(name);
        return space.isEmpty() ? std::vector<QByteArray>() : std::vector{space + ":queue:"};
    }
    std::vector<Claim> alsoNamed(const Probe& probe) const override
    {
        const ResqueName own = resqueNameOf(probe.name, probe.type);
        std::vector<Claim> claims;
        for (const QByteArray& queue : own.part == "queues" ? probe.sample : Names()) {
            const QByteArray key = own.space + ":queue:" + queue;
            claims.push_back({{id(), key}, {{mainRole(), key, true}}, 0.94, queue});
        }
        return claims;
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const ResqueName own = resqueNameOf(probe.name, probe.type);
        if (own.space.isEmpty() ||
            (own.part != "queues" && probe.sibling(own.space + ":queues") != KeyType::Set) ||
            (own.part != "workers" && own.part != "queue" && own.part != "failed" &&
             own.part != "delayed" && probe.sibling(own.space + ":workers") != KeyType::Set) ||
            (own.part == "queues" &&
             probe.sibling(own.space + ":stat:processed") != KeyType::String))
            return std::nullopt;
        const QByteArray queue = resqueQueueOf(own, probe);
        if (queue.isEmpty())
            return std::nullopt;
        const QByteArray key = own.space + ":queue:" + queue;
        return Claim{{id(), key}, {{mainRole(), key, own.part != "queue"}}, 0.94, queue};
    }

    Read<DecodeResult> readState(const Primitive& primitive,
                                 const ReadContext& context) const override;
    Read<std::vector<StoredJob>> readJobs(const Primitive& primitive,
                                          JobQuery query) const override;
};

// A lock without a TTL blocks delayed jobs: no scheduler can take over from one that died with it.
QString heldUpBy(std::span<const Reply> locks)
{
    for (size_t at = 0; at + 1 < locks.size(); at += 2) {
        if (locks[at].isText() && integerOf(locks[at + 1]) == -1)
            return LayoutText::tr("the scheduler's lock has no TTL, owner %1")
                .arg(displayPreview(locks[at].text, 120));
    }
    return {};
}

Read<DecodeResult> Resque::readState(const Primitive& primitive, const ReadContext& context) const
{
    const ResqueName own = resqueNameOf(primitive.id.name, KeyType::List);
    const QByteArray space = own.space + ':';
    const bool isDetail = context.depth == Depth::Detail;
    std::vector<Command> first{
        Command{"LLEN", primitive.id.name},
        firstSetPage(space + "workers"),
        Command{"LLEN", space + "failed"},
        Command{"ZCARD", space + "delayed_queue_schedule"},
        Command{"ZRANGE", space + "delayed_queue_schedule", "0", number(mostSeconds - 1)},
        Command{"GET", space + "stat:processed"},
        Command{"GET", space + "stat:failed"}};
    const size_t locksAt = first.size();
    for (const char* lock : schedulerLocks) {
        first.push_back({"GET", space + lock});
        first.push_back({"PTTL", space + lock});
    }
    const std::vector<Reply> replies = co_await ask(std::move(first));

    QueueState queue;
    queue.stuckByLibrary = true;
    Names members = scannedMembers(replies[1]);
    queue.workersKnown = isWholeSet(replies[1]) && qint64(members.size()) <= mostWorkers;
    members.resize(std::min<size_t>(members.size(), size_t(mostWorkers)));
    const qint64 failures = countOf(replies[2]);
    const qint64 mostRead = isDetail ? failuresRead : mostFailed;
    const bool readsAll = failures <= mostRead;
    const qint64 failuresWanted = readsAll || isDetail ? std::min(failures, mostRead) : 0;
    const bool readsSeconds = countOf(replies[3]) <= mostSeconds;
    Names seconds;
    for (const Reply& second : readsSeconds ? replies[4].items : std::vector<Reply>())
        seconds.push_back(second.text);
    auto [workers, failed, due] = co_await together(
        readWorkers(space, std::move(members), &context),
        readFailed(space, own.rest, failuresWanted), readDue(space, std::move(seconds)));
    for (Working& working : workers) {
        ResqueWorker& worker = working.worker;
        if (worker.job && worker.queue == own.rest) {
            QueueJob item;
            item.key = space + "worker:" + working.member;
            item.fingerprint = fingerprintOf(working.job);
            item.size = working.job.size();
            item.facts = *worker.job;
            queue.stuck += item.facts.leaseAlive == false ? 1 : 0;
            worker.state.jobs = 1;
            queue.items.push_back(std::move(item));
        } else if (!worker.serves(own.rest)) {
            continue;
        }
        queue.workers.push_back(std::move(worker.state));
    }

    std::optional<qint64> delayed;
    if (readsSeconds && !due.wasCut)
        delayed = std::count_if(due.jobs.begin(), due.jobs.end(),
                                [&](const Due& one) { return one.job.queue == own.rest; });
    queue.states = {
        {"waiting", JobRole::Ready, countOf(replies[0])},
        {"working", JobRole::Processing,
         queue.workersKnown ? std::optional(qint64(queue.items.size())) : std::nullopt},
        {"delayed", JobRole::Delayed, delayed},
        {"failed", JobRole::Dead, readsAll ? std::optional(qint64(failed.size())) : std::nullopt}};
    queue.due.cause = heldUpBy(std::span(replies).subspan(locksAt));
    queue.failures = groupsOf(failed);
    queue.failuresRead = qint64(failed.size());
    DecodeResult reading;
    if (const auto processed = integerOf(replies[5]))
        reading.state.facts.push_back(
            {LayoutText::tr("Processed, all queues"), QString::number(*processed), Source::Stored});
    if (const auto all = integerOf(replies[6]))
        reading.state.facts.push_back(
            {LayoutText::tr("Failed, all queues"), QString::number(*all), Source::Stored});
    finalizeQueue(reading.state, std::move(queue), context.nowMs, 0);
    co_return reading;
}

std::vector<Command> listingOf(const QByteArray& space, const JobQuery& query,
                               const QByteArray& queue)
{
    if (query.state == "waiting")
        return {listPageFromLeft(queue, query)};
    if (query.state == "failed")
        return {{"LRANGE", space + "failed", number(-mostListed), "-1"}};
    if (query.state == "delayed")
        return {{"ZRANGE", space + "delayed_queue_schedule", "0", number(mostSeconds - 1)}};
    return {};
}

// The shared keys are read as far as one read goes. This queue's jobs are selected from them.
Read<std::vector<StoredJob>> Resque::readJobs(const Primitive& primitive, JobQuery query) const
{
    const ResqueName own = resqueNameOf(primitive.id.name, KeyType::List);
    const QByteArray space = own.space + ':';
    std::vector<StoredJob> found;
    Names listed;
    for (const Reply& list : co_await ask(listingOf(space, query, primitive.id.name))) {
        for (const Reply& entry : list.items)
            listed.push_back(entry.text);
    }
    if (query.state == "waiting") {
        for (const QByteArray& job : listed)
            found.push_back({primitive.id.name, job, resqueJobOf(job).facts});
        co_return found;
    }
    if (query.state == "failed") {
        std::reverse(listed.begin(), listed.end());
        for (const QByteArray& entry : listed) {
            if (ResqueJob job = resqueFailureOf(entry); job.queue == own.rest)
                found.push_back({space + "failed", entry, std::move(job.facts)});
        }
    } else if (query.state == "delayed") {
        DueJobsRead read = co_await readDue(space, std::move(listed));
        for (Due& due : read.jobs) {
            if (due.job.queue == own.rest)
                found.push_back(
                    {space + "delayed:" + due.second, due.text, std::move(due.job.facts)});
        }
    } else if (query.state == "working") {
        const JobQuery all{{}, 0, mostWorkers};
        Names members = co_await readSetPage(space + "workers", all);
        for (Working& working : co_await readWorkers(space, std::move(members), nullptr)) {
            if (working.worker.job && working.worker.queue == own.rest)
                found.push_back(
                    {space + "worker:" + working.member, working.job, *working.worker.job});
        }
    }
    cutToPage(found, query);
    co_return found;
}

} // namespace

LK_LAYOUT(resque, Resque)

} // namespace lk
