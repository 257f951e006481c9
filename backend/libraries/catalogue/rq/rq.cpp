// SPDX-License-Identifier: GPL-3.0-or-later
// RQ 1 and 2 (https://python-rq.org/docs/). Each queue has a list of job ids and registries, which
// are sorted sets of job ids. Each job has a hash, whichever queue it is in.
#include "backend/core/timeunit.h"
#include "backend/libraries/catalogue/rq/rqactions.h"
#include "backend/libraries/catalogue/rq/rqjobs.h"
#include "backend/libraries/catalogue/rq/rqnames.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobtexts.h"
#include "backend/libraries/families/jobs/keyedqueue.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 workersRead = 50;
// A busy worker sends a heartbeat every half minute. An idle one sends it before it waits for the
// next job, so then only its key's TTL shows that it lives.
constexpr qint64 busySilenceMs = 90'000;

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

class Rq final : public KeyedQueue, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("rq"); }
    QString title() const override { return LayoutText::tr("RQ queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("queue"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type != KeyType::None && type != KeyType::Other;
    }
    // The field that names a job's queue.
    std::vector<QByteArray> hashFields() const override { return {"origin"}; }

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

protected:
    JobNumbers numbers() const override
    {
        return JobNumber::Throughput | JobNumber::Waiting | JobNumber::Running;
    }
    std::vector<Command> setting(const Primitive& primitive) const override
    {
        const RqName rq = rqNameOf(primitive.id.name);
        return {{"SRANDMEMBER", rq.stem + "workers:" + rq.queue, QByteArray::number(workersRead)},
                {"EXISTS", rq.stem + "suspended"},
                {"LLEN", primitive.id.name + ":intermediate"}};
    }
    std::vector<Command> furtherSetting(const Primitive&,
                                        const QueueSetting& setting) const override
    {
        std::vector<Command> commands;
        for (const Reply& key : setting.first[Workers].items) {
            Command worker{"HMGET", key.text};
            for (const char* field : workerFields)
                worker << field;
            commands.push_back(std::move(worker));
        }
        return commands;
    }
    std::vector<JobsKey> jobKeys(const Primitive& primitive, const QueueSetting&) const override;
    JobStore storeOf(const Primitive& primitive, const JobsKey&,
                     const QByteArray& member) const override
    {
        return {rqJobKey(rqNameOf(primitive.id.name).stem, rqJobIdOf(member)), "data", true};
    }
    std::vector<Command> readsOfJob(const Primitive& primitive, const JobsKey& key,
                                    const QueueSetting&, const QByteArray& member) const override
    {
        const QByteArray stem = rqNameOf(primitive.id.name).stem;
        const QByteArray job = rqJobIdOf(member);
        if (key.role == JobRole::Dead)
            return {rqJobRead(stem, job), rqResultRead(stem, job)};
        return {rqJobRead(stem, job)};
    }
    std::vector<Command> furtherReadsOfJob(const Primitive& primitive, const JobsKey& key,
                                           const JobRead& read) const override;
    std::optional<JobFacts> jobOf(const Primitive& primitive, const JobsKey& key,
                                  const QueueSetting& setting, const JobRead& read) const override;
    void finish(const Primitive& primitive, State& state, QueueState& queue,
                const QueueSetting& setting) const override;
    bool isGone(const JobRead& read) const override { return isRqJobGone(read.replies[0]); }
    Read<JobDetail> readDetail(const Primitive& primitive, const JobRead& read,
                               JobDetail detail) const override
    {
        return readRqDetail(rqNameOf(primitive.id.name).stem, read.element, read,
                            std::move(detail));
    }

private:
    // The positions of the replies to setting().
    enum Setting : size_t { Workers, Suspended, Intermediate };

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

std::vector<JobsKey> Rq::jobKeys(const Primitive& primitive, const QueueSetting&) const
{
    using Shape = JobsKey::Shape;
    const RqName rq = rqNameOf(primitive.id.name);
    std::vector<JobsKey> keys;
    for (const RqState& state : rqStates) {
        JobsKey key{state.name, state.role, rq.stem + state.part + ':' + rq.queue};
        key.shape = state.score == RqState::Score::None     ? Shape::FromLeft
                    : state.score == RqState::Score::Expiry ? Shape::Newest
                                                            : Shape::Sorted;
        key.timed = key.state == "finished"; // a canceled job did not run
        keys.push_back(std::move(key));
    }
    return keys;
}

// A worker's own key outlives its last heartbeat by minutes. Without that key no worker has the
// job, however far ahead the lease ends.
std::vector<Command> Rq::furtherReadsOfJob(const Primitive& primitive, const JobsKey& key,
                                           const JobRead& read) const
{
    const QByteArray worker = rqJobOf({}, read.replies[0], nullptr).worker;
    if (key.role != JobRole::Processing || worker.isEmpty())
        return {};
    return {{"EXISTS", rqNameOf(primitive.id.name).stem + "worker:" + worker}};
}

std::optional<JobFacts> Rq::jobOf(const Primitive&, const JobsKey& key, const QueueSetting& setting,
                                  const JobRead& read) const
{
    const bool dead = key.role == JobRole::Dead;
    JobFacts job = rqJobOf(rqJobIdOf(read.element), read.replies[0],
                           dead && read.replies.size() > 1 ? &read.replies[1] : nullptr);
    if (!read.score)
        return job;
    if (key.role == JobRole::Delayed)
        job.dueMs = qint64(*read.score * 1000);
    if (dead && !job.finishedMs)
        job.finishedMs = rqFailedMs(read.replies[0], *read.score);
    // The worker extends this time. RQ itself treats the job as abandoned once it has passed.
    if (key.role == JobRole::Processing)
        job.leaseAlive = *read.score * 1000 >= double(setting.nowMs) &&
                         !(read.further.size() == 1 && integerOf(read.further[0]) == 0);
    return job;
}

void Rq::finish(const Primitive&, State&, QueueState& queue, const QueueSetting& setting) const
{
    if (const qint64 moving = countOf(setting.first[Intermediate]); moving > 0)
        queue.states.insert(queue.states.begin() + 1,
                            {"intermediate", JobRole::Processing, moving});
    queue.paused = countOf(setting.first[Suspended]) > 0;
    const Reply& workers = setting.first[Workers];
    queue.workersKnown = !workers.isError();
    for (size_t i = 0; i < workers.items.size(); ++i) {
        const Reply& fields = setting.second[i];
        auto worker = workerOf(workers.items[i].text, fields, setting.nowMs);
        if (!worker)
            continue;
        addTotals(queue, *worker, fields);
        worker->jobs =
            std::count_if(queue.items.begin(), queue.items.end(),
                          [&](const QueueJob& item) { return item.facts.worker == worker->name; });
        queue.workers.push_back(std::move(*worker));
    }
}

} // namespace

LK_LAYOUT(rq, Rq)

} // namespace lk
