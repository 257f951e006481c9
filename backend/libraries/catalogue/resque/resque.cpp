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

constexpr size_t waitingAt = 0;
constexpr size_t workersAt = 1;
constexpr size_t failedAt = 2;
constexpr size_t scheduleAt = 3;
constexpr size_t secondsAt = 4;
constexpr size_t processedAt = 5;
constexpr size_t lockAt = 7; ///< the locks of the scheduler that moves delayed jobs
// The names of the lock in resque-scheduler and node-resque.
constexpr const char* schedulerLocks[] = {"resque_scheduler_master_lock",
                                          "resque_scheduler_leader_lock"};
constexpr size_t end = lockAt + 2 * std::size(schedulerLocks);

QByteArray number(qint64 n)
{
    return QByteArray::number(n);
}

// The further reads that the first replies require.
struct Wanted
{
    Wanted(std::span<const Reply> replies, bool detail)
        : set(replies.subspan(workersAt, 1))
        , workers(set.ids())
        , failed(countOf(replies[failedAt]))
    {
        allWorkers = set.complete() && qint64(workers.size()) <= mostWorkers;
        workers.resize(std::min<size_t>(workers.size(), size_t(mostWorkers)));
        const qint64 most = detail ? failuresRead : mostFailed;
        allFailed = failed <= most;
        readsFailed = failed > 0 && (allFailed || detail);
        failed = std::min(failed, most);
        allSeconds = countOf(replies[scheduleAt]) <= mostSeconds;
        for (const Reply& second : replies[secondsAt].items)
            seconds.push_back(second.text);
    }
    SetPage set;
    std::vector<QByteArray> workers;
    std::vector<QByteArray> seconds;
    qint64 failed;
    bool allWorkers = false, allFailed = false, readsFailed = false, allSeconds = false;
};

using Names = std::vector<QByteArray>;

// Reads the heartbeats of all workers, then the job and the ping of each one. Returns no command if
// there are no workers.
std::vector<Command> workerReads(const QByteArray& space, const Names& workers)
{
    std::vector<Command> commands;
    if (workers.empty())
        return commands;
    Command heartbeats{"HMGET", space + "workers:heartbeat"};
    for (const QByteArray& worker : workers)
        heartbeats << worker;
    commands.push_back(std::move(heartbeats));
    for (const QByteArray& worker : workers) {
        commands.push_back({"GET", space + "worker:" + worker});
        commands.push_back({"GET", space + "worker:ping:" + resqueWorkerName(worker)});
    }
    return commands;
}

class Resque final : public PlannedLayout, public KeyHints, public SiblingKeys
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

    std::vector<Command> jobReads(const Primitive& primitive, const JobQuery& query,
                                  std::span<const Reply> replies) const override;
    std::vector<StoredJob> jobs(const Primitive& primitive, const JobQuery& query,
                                std::span<const Reply> replies) const override;

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override;
    std::vector<Command> furtherReads(const Primitive& primitive, const ReadContext& context,
                                      std::span<const Reply> replies) const override;
    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override;
};

std::vector<Command> Resque::reads(const Primitive& primitive, const ReadContext&) const
{
    const QByteArray space = resqueNameOf(primitive.id.name, KeyType::List).space + ':';
    std::vector<Command> commands{
        {"LLEN", primitive.id.name},
        SetPage::firstRead(space + "workers"),
        {"LLEN", space + "failed"},
        {"ZCARD", space + "delayed_queue_schedule"},
        {"ZRANGE", space + "delayed_queue_schedule", "0", number(mostSeconds - 1)},
        {"GET", space + "stat:processed"},
        {"GET", space + "stat:failed"}};
    for (const char* lock : schedulerLocks) {
        commands.push_back({"GET", space + lock});
        commands.push_back({"PTTL", space + lock});
    }
    return commands;
}

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

std::vector<Command> Resque::furtherReads(const Primitive& primitive, const ReadContext& context,
                                          std::span<const Reply> replies) const
{
    if (replies.size() != end)
        return {};
    const Wanted wanted(replies, context.depth == Depth::Detail);
    const QByteArray space = resqueNameOf(primitive.id.name, KeyType::List).space + ':';
    std::vector<Command> commands = workerReads(space, wanted.workers);
    if (wanted.readsFailed)
        commands.push_back({"LRANGE", space + "failed", number(-wanted.failed), "-1"});
    for (const QByteArray& second : wanted.seconds)
        commands.push_back({"LRANGE", space + "delayed:" + second, "0", number(mostDelayedEach)});
    return commands;
}

DecodeResult Resque::read(const Primitive& primitive, std::span<const Reply> replies,
                          const ReadContext& context) const
{
    DecodeResult reading;
    QueueState queue;
    const Wanted wanted(replies, context.depth == Depth::Detail);
    const ResqueName own = resqueNameOf(primitive.id.name, KeyType::List);
    size_t next = end;
    const bool whole = replies.size() > end ||
                       (wanted.workers.empty() && wanted.seconds.empty() && !wanted.readsFailed);
    queue.stuckByLibrary = true;
    queue.workersKnown = whole && wanted.allWorkers;
    if (!wanted.workers.empty() && next < replies.size()) {
        const Reply& heartbeats = replies[next++];
        for (size_t i = 0; i < wanted.workers.size() && next + 1 < replies.size(); ++i, next += 2) {
            ResqueWorker worker = resqueWorkerOf(wanted.workers[i], fieldText(heartbeats, i),
                                                 replies[next], replies[next + 1], context.nowMs);
            if (worker.job && worker.queue == own.rest) {
                QueueJob item;
                item.key = own.space + ":worker:" + wanted.workers[i];
                item.fingerprint = fingerprintOf(replies[next].text);
                item.size = replies[next].text.size();
                item.facts = *worker.job;
                queue.stuck += item.facts.leaseAlive == false ? 1 : 0;
                worker.state.jobs = 1;
                queue.items.push_back(std::move(item));
            } else if (!worker.serves(own.rest)) {
                continue;
            }
            queue.workers.push_back(std::move(worker.state));
        }
    }
    std::vector<JobFacts> failed;
    if (wanted.readsFailed && next < replies.size()) {
        for (const Reply& entry : replies[next++].items) {
            const ResqueJob job = resqueFailureOf(entry.text);
            if (job.queue == own.rest)
                failed.push_back(job.facts);
        }
    }
    std::optional<qint64> delayed =
        whole && wanted.allSeconds ? std::optional<qint64>(0) : std::nullopt;
    for (size_t i = 0; delayed && i < wanted.seconds.size() && next < replies.size(); ++i) {
        const std::vector<Reply>& jobs = replies[next++].items;
        if (qint64(jobs.size()) > mostDelayedEach)
            delayed.reset();
        for (size_t j = 0; delayed && j < jobs.size(); ++j)
            *delayed += resqueJobOf(jobs[j].text).queue == own.rest ? 1 : 0;
    }
    queue.states = {
        {"waiting", JobRole::Ready, countOf(replies[waitingAt])},
        {"working", JobRole::Processing,
         queue.workersKnown ? std::optional(qint64(queue.items.size())) : std::nullopt},
        {"delayed", JobRole::Delayed, delayed},
        {"failed", JobRole::Dead,
         whole && wanted.allFailed ? std::optional(qint64(failed.size())) : std::nullopt}};
    queue.due.cause = heldUpBy(replies.subspan(lockAt, 2 * std::size(schedulerLocks)));
    queue.failures = groupsOf(failed);
    queue.failuresRead = qint64(failed.size());
    if (const auto processed = integerOf(replies[processedAt]))
        reading.state.facts.push_back(
            {LayoutText::tr("Processed, all queues"), QString::number(*processed), Source::Stored});
    if (const auto failures = integerOf(replies[processedAt + 1]))
        reading.state.facts.push_back(
            {LayoutText::tr("Failed, all queues"), QString::number(*failures), Source::Stored});
    finalizeQueue(reading.state, std::move(queue), context.nowMs, 0);
    return reading;
}

// The shared keys are read as far as one read goes. jobs() then selects this queue's jobs.
std::vector<Command> Resque::jobReads(const Primitive& primitive, const JobQuery& query,
                                      std::span<const Reply> replies) const
{
    const QByteArray space = resqueNameOf(primitive.id.name, KeyType::List).space + ':';
    if (replies.empty()) {
        if (query.state == "waiting")
            return {listPageFromLeft(primitive.id.name, query)};
        if (query.state == "failed")
            return {{"LRANGE", space + "failed", number(-mostListed), "-1"}};
        if (query.state == "delayed")
            return {{"ZRANGE", space + "delayed_queue_schedule", "0", number(mostSeconds - 1)}};
        return query.state == "working" ? std::vector{SetPage::firstRead(space + "workers")}
                                        : std::vector<Command>();
    }
    std::vector<Command> commands;
    if (replies.size() != 1)
        return commands;
    if (query.state == "delayed") {
        for (const Reply& second : replies[0].items)
            commands.push_back(
                {"LRANGE", space + "delayed:" + second.text, "0", number(mostDelayedEach)});
    } else if (query.state == "working") {
        const std::vector<QByteArray> workers = SetPage(replies).page({{}, 0, mostWorkers});
        if (!workers.empty())
            commands = {{"TIME"}};
        for (Command& command : workerReads(space, workers))
            commands.push_back(std::move(command));
    }
    return commands;
}

std::vector<StoredJob> Resque::jobs(const Primitive& primitive, const JobQuery& query,
                                    std::span<const Reply> replies) const
{
    std::vector<StoredJob> found;
    const ResqueName own = resqueNameOf(primitive.id.name, KeyType::List);
    if (replies.empty())
        return found;
    const auto add = [&](const QByteArray& key, const QByteArray& text, ResqueJob job) {
        StoredJob stored{key, text};
        stored.facts = std::move(job.facts);
        found.push_back(std::move(stored));
    };
    if (query.state == "waiting") {
        for (const Reply& job : replies[0].items)
            add(primitive.id.name, job.text, resqueJobOf(job.text));
        return found;
    }
    if (query.state == "failed") {
        const std::vector<Reply>& all = replies[0].items;
        for (auto entry = all.rbegin(); entry != all.rend(); ++entry) {
            if (ResqueJob job = resqueFailureOf(entry->text); job.queue == own.rest)
                add(own.space + ":failed", entry->text, std::move(job));
        }
    } else if (query.state == "delayed") {
        for (size_t i = 0; i < replies[0].items.size() && i + 1 < replies.size(); ++i) {
            const QByteArray& second = replies[0].items[i].text;
            for (const Reply& entry : replies[i + 1].items) {
                ResqueJob job = resqueJobOf(entry.text);
                job.facts.dueMs = timeMs(second);
                if (job.queue == own.rest)
                    add(own.space + ":delayed:" + second, entry.text, std::move(job));
            }
        }
    } else {
        const Names workers = SetPage(replies.first(1)).page({{}, 0, mostWorkers});
        for (size_t i = 0; i < workers.size() && 2 * i + 4 < replies.size(); ++i) {
            const Reply& on = replies[2 * i + 3];
            const ResqueWorker worker =
                resqueWorkerOf(workers[i], fieldText(replies[2], i), on, replies[2 * i + 4],
                               timeFromReply(replies[1]).value_or(0));
            if (worker.job && worker.queue == own.rest)
                add(own.space + ":worker:" + workers[i], on.text, {*worker.job, worker.queue});
        }
    }
    const auto size = qint64(found.size());
    return {found.begin() + std::min(query.offset, size),
            found.begin() + std::min(query.offset + query.limit, size)};
}

} // namespace

namespace layouts {
const Layout& resque()
{
    static const Resque layout;
    return layout;
}
} // namespace layouts

} // namespace lk
