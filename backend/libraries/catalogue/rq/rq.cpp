// SPDX-License-Identifier: GPL-3.0-or-later
// RQ 1 and 2 (https://python-rq.org/docs/). Each queue has a list of job ids and registries, which
// are sorted sets of job ids. Each job has a hash, whichever queue it is in.
#include "backend/core/timeunit.h"
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/catalogue/rq/rqactions.h"
#include "backend/libraries/catalogue/rq/rqjobs.h"
#include "backend/libraries/catalogue/rq/rqnames.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/jobs/jobnumbers.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobsampling.h"
#include "backend/libraries/families/jobs/jobtexts.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 workersRead = 50;
// A busy worker sends a heartbeat every half minute. An idle one sends it before it waits for the
// next job, so then only its key's TTL shows that it lives.
constexpr qint64 busySilenceMs = 90'000;

constexpr JobNumbers rqNumbers = JobNumber::Throughput | JobNumber::Waiting | JobNumber::Running;

enum WorkerField : size_t { Host, Process, Heartbeat, Busy, Death, Successful, Unsuccessful };
constexpr const char* workerFields[] = {"hostname",        "pid",   "last_heartbeat",
                                        "state",           "death", "successful_job_count",
                                        "failed_job_count"};

bool startsAll(const std::vector<QByteArray>& members, const QByteArray& start)
{
    return !members.empty() &&
           std::all_of(members.begin(), members.end(),
                       [&](const QByteArray& m) { return m.startsWith(start); });
}

class Rq final : public PlannedLayout, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("rq"); }
    QString title() const override { return LayoutText::tr("RQ queue"); }
    Kind kind() const override { return Kind::Queue; }
    QByteArray mainRole() const override { return QByteArrayLiteral("queue"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type != KeyType::None && type != KeyType::Other;
    }
    // The field that names a job's queue.
    std::vector<QByteArray> hashFields() const override { return {"origin"}; }

    bool allowsKeyActions() const override { return false; }

    std::vector<QByteArray> nameParts(KeyType) const override { return {"rq:"}; }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        const RqName rq = rqNameOf(name);
        if (rq.queue.isEmpty() || type == KeyType::Set)
            return {};
        return {rq.stem + "queues", rq.stem + "workers:" + rq.queue, rqQueueKey(rq.stem, rq.queue)};
    }

    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const RqName rq = rqNameOf(name);
        if (rq.stem.isEmpty() || rq.part == "queues")
            return {};
        if (rq.queue.isEmpty())
            return {rq.stem};
        const bool held = rq.part == "queue" || rq.part == "workers" || isRegistry(rq.part) ||
                          (rq.part == "intermediate" && rq.id.isEmpty());
        return held ? std::vector<QByteArray>() : std::vector{rqQueueKey(rq.stem, rq.queue)};
    }

    QByteArray stemOf(const QByteArray& name) const override { return rqNameOf(name).stem; }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const RqName rq = rqNameOf(probe.name);
        if (rq.stem.isEmpty())
            return std::nullopt;
        if (rq.part == "queues")
            return probe.type == KeyType::Set && startsAll(probe.sample, rq.stem + "queue:")
                       ? std::optional(namedBy(probe, probe.sample.front()))
                       : std::nullopt;
        if (rq.part == "job" && probe.type == KeyType::Hash) {
            const QByteArray* origin = probe.field("origin");
            return origin ? std::optional(claimOf(probe, rq.stem, *origin, 0.95)) : std::nullopt;
        }
        if (rq.queue.isEmpty())
            return sharedPart(probe, rq);
        const double confidence = confidenceOf(probe, rq);
        if (confidence == 0)
            return std::nullopt;
        Claim claim = claimOf(probe, rq.stem, rq.queue, confidence);
        const bool held = rq.part == "workers" || isRegistry(rq.part) ||
                          (rq.part == "intermediate" && rq.id.isEmpty());
        if (held)
            claim.keys.push_back({rq.part, probe.name});
        return claim;
    }

    std::vector<Claim> alsoNamed(const Probe& probe) const override
    {
        std::vector<Claim> claims;
        if (rqNameOf(probe.name).part == "queues") {
            for (const QByteArray& key : probe.sample)
                claims.push_back(namedBy(probe, key));
        }
        return claims;
    }

    Claim declared(const Declaration& declaration, const QByteArray& name) const override
    {
        Claim claim = Layout::declared(declaration, name);
        claim.label = rqNameOf(name).queue;
        return claim;
    }

    ActionList actions() const override { return actions::rqActions(); }
    std::vector<Command> jobReads(const Primitive& primitive, const JobQuery& query,
                                  std::span<const Reply> replies) const override
    {
        const RqName rq = rqNameOf(primitive.id.name);
        return rqJobReads(rq.stem, rq.queue, query, replies);
    }
    std::vector<StoredJob> jobs(const Primitive& primitive, const JobQuery& query,
                                std::span<const Reply> replies) const override
    {
        const RqName rq = rqNameOf(primitive.id.name);
        return rqJobs(rq.stem, rq.queue, query, replies);
    }
    std::vector<Command> jobDetailReads(const Primitive& primitive, const QByteArray&,
                                        const QByteArray& id,
                                        std::span<const Reply> replies) const override
    {
        return rqJobDetailReads(rqNameOf(primitive.id.name).stem, id, replies);
    }
    JobDetail jobDetail(const Primitive& primitive, const QByteArray&, const QByteArray& id,
                        std::span<const Reply> replies) const override
    {
        return rqJobDetail(rqNameOf(primitive.id.name).stem, id, replies);
    }
    QByteArray jobKey(const Primitive& primitive, const QByteArray&,
                      const QByteArray& id) const override
    {
        return rqJobKey(rqNameOf(primitive.id.name).stem, id);
    }
    std::span<const Column> columns() const override { return jobColumns(rqNumbers); }
    std::span<const Metric> metrics() const override { return jobMetrics(rqNumbers); }

protected:
    bool mayFail(const Primitive& primitive, const Command& command) const override
    {
        return command.args().size() < 2 || command.args()[1] != primitive.id.name;
    }

    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override;
    std::vector<Command> furtherReads(const Primitive& primitive, const ReadContext& context,
                                      std::span<const Reply> replies) const override;
    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override;

private:
    static bool isRegistry(const QByteArray& part)
    {
        return std::any_of(std::begin(rqStates), std::end(rqStates), [&](const RqState& s) {
            return s.score != RqState::Score::None && part == s.part;
        });
    }

    Claim claimOf(const Probe& probe, const QByteArray& stem, const QByteArray& queue,
                  double confidence) const
    {
        const QByteArray main = rqQueueKey(stem, queue);
        const bool seen = probe.name == main || probe.sibling(main) != KeyType::None;
        return {{id(), main}, {{mainRole(), main, !seen}}, confidence, queue};
    }

    // The members of the set of all queues are the keys of their lists.
    Claim namedBy(const Probe& probe, const QByteArray& key) const
    {
        const RqName rq = rqNameOf(key);
        Claim claim = claimOf(probe, rq.stem, rq.queue, 0.97);
        claim.keys.push_back({QByteArrayLiteral("queues"), probe.name});
        return claim;
    }

    // Claims a key that belongs to RQ but to no single queue: a worker's hash, a job's results.
    std::optional<Claim> sharedPart(const Probe& probe, const RqName& rq) const
    {
        const bool fits = (rq.part == "worker" && probe.type == KeyType::Hash) ||
                          (rq.part == "workers" && startsAll(probe.sample, rq.stem + "worker:")) ||
                          (rq.part == "results" && probe.type == KeyType::Stream) ||
                          (rq.part == "job" && probe.type == KeyType::Set) ||
                          rq.part == "executions" || rq.part == "execution" ||
                          rq.part == "suspended";
        return fits ? std::optional(Claim{{id(), rq.stem}, {}, 0.95, {}}) : std::nullopt;
    }

    static double confidenceOf(const Probe& probe, const RqName& rq)
    {
        const bool siblings = probe.sibling(rq.stem + "queues") == KeyType::Set ||
                              probe.sibling(rq.stem + "workers:" + rq.queue) == KeyType::Set;
        if (rq.part == "queue" || rq.part == "intermediate") {
            if (probe.type == KeyType::String)
                return rq.part == "intermediate" && siblings ? 0.95 : 0;
            return probe.type != KeyType::List || !isUuid(probe.first) ? 0 : siblings ? 0.97 : 0.9;
        }
        if (rq.part == "workers")
            return startsAll(probe.sample, rq.stem + "worker:") ? 0.97 : 0;
        if (probe.type == KeyType::String)
            return siblings ? 0.95 : 0; // one of its short locks
        if (probe.type != KeyType::ZSet || !(isRegistry(rq.part) || rq.part == "ready"))
            return 0;
        const bool ids = !probe.members.empty() && isUuid(rqJobIdOf(probe.members[0].member));
        const bool times = !probe.members.empty() && timeUnitOf(probe.members[0].score);
        return ids ? siblings ? 0.97 : 0.9 : siblings && times ? 0.95 : 0;
    }
};

// The positions of the replies. The counts of the states come first.
struct Places
{
    explicit Places(bool detail)
        : failed(suspended + 1)
        , ended(failed + 1)
        , end(failed + (detail ? 2 : 0))
    {}
    static constexpr size_t intermediate = std::size(rqStates);
    static constexpr size_t started = intermediate + 1;
    static constexpr size_t next = intermediate + 2;
    static constexpr size_t workers = intermediate + 3;
    static constexpr size_t suspended = intermediate + 4;
    size_t failed;
    size_t ended;
    size_t end;
};

// Returns the finished jobs that RQ still keeps, the latest first.
std::vector<QByteArray> endedOf(const Places& places, std::span<const Reply> replies)
{
    std::vector<QByteArray> ids;
    for (size_t i = 0; places.failed < places.end && i < replies[places.ended].items.size(); ++i)
        ids.push_back(rqJobIdOf(replies[places.ended].items[i].text));
    return ids;
}

std::vector<Command> Rq::reads(const Primitive& primitive, const ReadContext& context) const
{
    const RqName rq = rqNameOf(primitive.id.name);
    std::vector<Command> commands;
    for (const RqState& state : rqStates)
        commands.push_back({state.score == RqState::Score::None ? "LLEN" : "ZCARD",
                            rq.stem + state.part + ':' + rq.queue});
    commands.push_back({"LLEN", primitive.id.name + ":intermediate"});
    commands.push_back({"ZRANGE", rq.stem + "wip:" + rq.queue, "0",
                        QByteArray::number(jobsInProgressRead - 1), "WITHSCORES"});
    commands.push_back({"LRANGE", primitive.id.name, "0", "0"});
    commands.push_back(
        {"SRANDMEMBER", rq.stem + "workers:" + rq.queue, QByteArray::number(workersRead)});
    commands.push_back({"EXISTS", rq.stem + "suspended"});
    if (context.depth == Depth::Detail) {
        commands.push_back({"ZREVRANGE", rq.stem + "failed:" + rq.queue, "0",
                            QByteArray::number(failuresRead - 1)});
        commands.push_back({"ZREVRANGE", rq.stem + "finished:" + rq.queue, "0",
                            QByteArray::number(endedJobsRead - 1)});
    }
    return commands;
}

std::vector<Command> Rq::furtherReads(const Primitive& primitive, const ReadContext& context,
                                      std::span<const Reply> replies) const
{
    const Places places(context.depth == Depth::Detail);
    if (replies.size() < places.end)
        return {};
    const QByteArray stem = rqNameOf(primitive.id.name).stem;
    std::vector<Command> commands;
    for (const ScoredMember& job : scoredMembersOf(replies[Places::started]))
        commands.push_back(rqJobRead(stem, rqJobIdOf(job.member)));
    for (const Reply& id : replies[Places::next].items)
        commands.push_back(rqJobRead(stem, id.text));
    for (const Reply& key : replies[Places::workers].items) {
        Command worker{"HMGET", key.text};
        for (const char* field : workerFields)
            worker << field;
        commands.push_back(std::move(worker));
    }
    if (places.failed < places.end) {
        for (const Reply& id : replies[places.failed].items) {
            commands.push_back(rqJobRead(stem, id.text));
            commands.push_back(rqResultRead(stem, id.text));
        }
    }
    for (const QByteArray& id : unsampled(knownSample(context), endedOf(places, replies)))
        commands.push_back(rqJobRead(stem, id));
    if (replies.size() == places.end)
        return commands;
    // Whether the workers of the jobs in progress are still there.
    std::vector<Command> workers;
    if (replies.size() == places.end + commands.size()) {
        for (size_t i = 0; i < replies[Places::started].items.size() / 2; ++i)
            workers.push_back(
                rqWorkerRead(stem, rqJobOf({}, replies[places.end + i], nullptr).worker));
    }
    return workers;
}

// Decodes a worker's hash. The hash expires after minutes without a heartbeat, but the set still
// names the worker.
std::optional<QueueWorker> workerOf(const QByteArray& key, const Reply& fields, qint64 nowMs)
{
    QueueWorker worker;
    worker.name = rqNameOf(key).id;
    worker.host = fieldText(fields, Host);
    worker.process = fieldText(fields, Process);
    worker.lastSeenMs = isoTimeMs(fieldText(fields, Heartbeat));
    const bool busy = fieldText(fields, Busy) == "busy";
    const bool silent = busy && worker.lastSeenMs && nowMs - *worker.lastSeenMs > busySilenceMs;
    worker.alive = worker.lastSeenMs && fieldText(fields, Death).isEmpty() && !silent;
    if (worker.name.isEmpty())
        return std::nullopt;
    return worker;
}

// Adds the worker's totals since its start, over all queues. If there are many workers, each read
// may cover other ones, so totalsOf identifies the workers that the sums include.
void addTotals(QueueState& queue, const QueueWorker& worker, const Reply& fields)
{
    queue.completedTotal =
        queue.completedTotal.value_or(0) + wholeNumber(fieldText(fields, Successful)).value_or(0);
    queue.failedTotal =
        queue.failedTotal.value_or(0) + wholeNumber(fieldText(fields, Unsuccessful)).value_or(0);
    queue.totalsOf ^= fingerprintOf(worker.name); // independent of their order
    queue.rateSource = RateSource::TotalsOfWorker;
}

DecodeResult Rq::read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const
{
    const Places places(context.depth == Depth::Detail);
    const RqName rq = rqNameOf(primitive.id.name);
    DecodeResult reading;
    QueueState queue;
    queue.stuckByLibrary = true;
    for (size_t i = 0; i < std::size(rqStates); ++i)
        queue.states.push_back(
            {rqStates[i].name, rqStates[i].role,
             replies[i].isError() ? std::nullopt : std::optional(countOf(replies[i]))});
    if (const qint64 moving = countOf(replies[Places::intermediate]); moving > 0)
        queue.states.insert(queue.states.begin() + 1,
                            {"intermediate", JobRole::Processing, moving});
    queue.paused = countOf(replies[Places::suspended]) > 0;

    size_t next = places.end;
    const auto reply = [&] { return next < replies.size() ? replies[next++] : Reply(); };
    for (const ScoredMember& member : scoredMembersOf(replies[Places::started])) {
        const QByteArray job = rqJobIdOf(member.member);
        QueueJob item;
        item.key = rq.stem + "wip:" + rq.queue;
        item.fingerprint = fingerprintOf(job);
        item.facts = rqJobOf(job, reply(), nullptr);
        // The worker extends this time. RQ itself treats the job as abandoned once it has passed.
        item.facts.leaseAlive = member.score * 1000 >= double(context.nowMs);
        if (item.facts.startedMs)
            queue.oldestProcessingMs = std::max(queue.oldestProcessingMs.value_or(0),
                                                context.nowMs - *item.facts.startedMs);
        queue.items.push_back(std::move(item));
    }
    for (const Reply& waiting : replies[Places::next].items) {
        const JobFacts job = rqJobOf(waiting.text, reply(), nullptr);
        if (job.enqueuedMs)
            queue.oldestReadyMs = std::max<qint64>(0, context.nowMs - *job.enqueuedMs);
    }
    queue.workersKnown = !replies[Places::workers].isError();
    for (const Reply& key : replies[Places::workers].items) {
        const Reply fields = reply();
        if (auto worker = workerOf(key.text, fields, context.nowMs)) {
            addTotals(queue, *worker, fields);
            worker->jobs =
                std::count_if(queue.items.begin(), queue.items.end(), [&](const QueueJob& item) {
                    return item.facts.worker == worker->name;
                });
            queue.workers.push_back(std::move(*worker));
        }
    }
    std::vector<JobFacts> failed;
    if (places.failed < places.end) {
        for (const Reply& id : replies[places.failed].items) {
            const Reply fields = reply();
            const Reply result = reply();
            failed.push_back(rqJobOf(id.text, fields, &result));
        }
    }
    queue.failures = groupsOf(failed);
    queue.failuresRead = qint64(failed.size());
    if (context.depth == Depth::Detail) {
        const std::vector<QByteArray> ids = endedOf(places, replies);
        std::vector<JobFacts> ended;
        for (const QByteArray& id : unsampled(knownSample(context), ids))
            ended.push_back(rqJobOf(id, reply(), nullptr));
        sampleEnded(queue, context, ids, ended, countOfState(queue, "finished").value_or(0));
    }
    // A worker's own key outlives its last heartbeat by minutes. Without that key no worker has the
    // job, however far ahead the lease ends.
    for (QueueJob& item : queue.items) {
        if (isWorkerGone(item.facts, reply()))
            item.facts.leaseAlive = false;
        queue.stuck += item.facts.leaseAlive == false ? 1 : 0;
    }
    finalizeTimes(queue, context, failed);
    finalizeQueue(reading.state, std::move(queue), context.nowMs, 0);
    return reading;
}

} // namespace

namespace layouts {
const Layout& rq()
{
    static const Rq layout;
    return layout;
}
} // namespace layouts

} // namespace lk
