// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/bullmq/bullqueue.h"

#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobnumbers.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobsampling.h"

#include "backend/core/names/keyname.h"

#include <algorithm>

namespace lk {

namespace {

// In BullMQ 4 an entry "0:<time>" in the waiting list wakes a worker that waits for delayed jobs.
// It is not a job.
bool isMarker(const QByteArray& id)
{
    return id.startsWith("0:");
}

// The positions of the replies to reads(). The counts of the states come first.
struct Places
{
    explicit Places(size_t states, bool detail)
        : meta(states)
        , pauseKey(states + 1)
        , active(states + 2)
        , next(states + 3)
        , completed(states + 4)
        , failed(states + 5)
        , failures(states + 6)
        , ended(states + 7)
        , end(states + (detail ? 8 : 6))
    {}
    size_t meta, pauseKey, active, next, completed, failed, failures, ended, end;
};

// The ids that furtherReads() reads, in its order.
struct Ids
{
    std::vector<QByteArray> active; ///< oldest first
    QByteArray next;                ///< the job that has waited longest; empty if none waits
    std::vector<QByteArray> failed; ///< the latest failed jobs
    std::vector<QByteArray> ended;  ///< the latest completed jobs
    std::vector<QByteArray> fresh;  ///< those of them that were not read before
};

Ids idsOf(const Places& places, const ReadContext& context, std::span<const Reply> replies)
{
    Ids ids;
    for (const Reply& id : replies[places.active].items)
        ids.active.insert(ids.active.begin(), id.text);
    const std::vector<Reply>& waiting = replies[places.next].items;
    for (const Reply& id : waiting) {
        if (!isMarker(id.text))
            ids.next = id.text; // the right end is next
    }
    if (context.depth == Depth::Detail) {
        for (const Reply& id : replies[places.failures].items)
            ids.failed.push_back(id.text);
        for (const Reply& id : replies[places.ended].items)
            ids.ended.push_back(id.text);
        ids.fresh = unsampled(knownSample(context), ids.ended);
    }
    return ids;
}

// Metrics exist only if a worker is configured to keep them, each from its first job on.
void takeTotals(QueueState& queue, const Reply& completed, const Reply& failed)
{
    queue.completedTotal = integerOf(completed);
    queue.failedTotal = integerOf(failed);
    if (!queue.completedTotal && !queue.failedTotal)
        return;
    queue.completedTotal = queue.completedTotal.value_or(0);
    queue.failedTotal = queue.failedTotal.value_or(0);
    queue.rateSource = RateSource::Totals;
}

constexpr JobNumbers bullNumbers = JobNumber::Throughput | JobNumber::Waiting | JobNumber::Running;

} // namespace

std::span<const Column> BullQueue::columns() const
{
    return jobColumns(bullNumbers);
}

std::span<const Metric> BullQueue::metrics() const
{
    return jobMetrics(bullNumbers);
}

bool BullQueue::wants(KeyType type) const
{
    return type != KeyType::None && type != KeyType::Other;
}

std::vector<QByteArray> BullQueue::nameParts(KeyType type) const
{
    // The name of a job's hash has no part, only the job's id.
    return type == KeyType::Hash ? std::vector<QByteArray>() : bullNameParts();
}

std::vector<QByteArray> BullQueue::siblings(const QByteArray& name, KeyType type) const
{
    const BullName part = bullNameOf(name);
    // Any hash a:b:7 looks like a job's, and three commands for each would be too many. Jobs are
    // known once their queue is.
    if (part.stem.isEmpty() && type == KeyType::Hash)
        return {};
    const QByteArray stem = part.stem.isEmpty() ? bullJobStem(name, type) : part.stem;
    if (stem.isEmpty())
        return {};
    return {stem + ":meta", stem + ":events", stem + ":id"};
}

std::vector<QByteArray> BullQueue::ownersOf(const QByteArray& name) const
{
    return bullOwnersOf(name);
}

// <prefix>:<queue in base64>, followed by ":w:<name>" for a named worker of BullMQ. The names of
// clients that listen to events end in ":qe".
std::optional<QByteArray> BullQueue::workerOfClient(const Primitive& primitive,
                                                    const QByteArray& clientName) const
{
    const QByteArray& stem = primitive.id.name;
    const QByteArray queue = bullQueueName(stem);
    const QByteArray base = stem.chopped(queue.size()) + queue.toBase64();
    if (!clientName.startsWith(base))
        return std::nullopt;
    const QByteArray rest = clientName.mid(base.size());
    if (rest.isEmpty() || rest == ":w")
        return QByteArray();
    return rest.startsWith(":w:") ? std::optional(rest.mid(3)) : std::nullopt;
}

Claim BullQueue::claimOf(const Probe& probe, const BullName& name, double confidence) const
{
    const QByteArray main = name.stem + ':' + mainRole();
    const bool seen = probe.name == main || probe.sibling(main) != KeyType::None;
    Claim claim{{id(), name.stem}, {{mainRole(), main, !seen}}, confidence, {}};
    if (!name.part.isEmpty() && probe.name != main)
        claim.keys.push_back({name.part, probe.name});
    claim.label = bullQueueName(name.stem);
    return claim;
}

std::vector<Command> BullQueue::reads(const Primitive& primitive, const ReadContext& context) const
{
    const QByteArray stem = primitive.id.name + ':';
    std::vector<Command> commands;
    for (const BullState& state : m_states)
        commands.push_back(
            {state.shape == BullState::Shape::List ? "LLEN" : "ZCARD", stem + state.name});
    Command meta{"HMGET", stem + "meta"};
    for (const char* field : metaFields)
        meta << field;
    commands.push_back(std::move(meta));
    const QByteArray pause = pauseKey(primitive.id.name);
    commands.push_back({"EXISTS", pause.isEmpty() ? stem + "meta-paused" : pause});
    commands.push_back({"LRANGE", stem + "active", QByteArray::number(-jobsInProgressRead), "-1"});
    commands.push_back({"LRANGE", stem + "wait", "-2", "-1"});
    commands.push_back({"HGET", stem + "metrics:completed", "count"});
    commands.push_back({"HGET", stem + "metrics:failed", "count"});
    if (context.depth == Depth::Detail) {
        commands.push_back(
            {"ZREVRANGE", stem + "failed", "0", QByteArray::number(failuresRead - 1)});
        commands.push_back(
            {"ZREVRANGE", stem + "completed", "0", QByteArray::number(endedJobsRead - 1)});
    }
    return commands;
}

std::vector<Command> BullQueue::furtherReads(const Primitive& primitive, const ReadContext& context,
                                             std::span<const Reply> replies) const
{
    const bool detail = context.depth == Depth::Detail;
    const Places places(m_states.size(), detail);
    if (replies.size() != places.end)
        return {};
    const QByteArray& stem = primitive.id.name;
    const Ids ids = idsOf(places, context, replies);
    std::vector<Command> commands;
    for (const QByteArray& id : ids.active) {
        for (Command& command : bullActiveReads(stem, id))
            commands.push_back(std::move(command));
    }
    if (!ids.active.empty())
        commands.push_back(
            {"LRANGE", stem + ":active", QByteArray::number(-jobsInProgressRead), "-1"});
    if (!ids.next.isEmpty())
        commands.push_back({"HGET", stem + ':' + ids.next, "timestamp"});
    for (const QByteArray& id : ids.failed)
        commands.push_back(bullJobRead(stem, id));
    for (const QByteArray& id : ids.fresh)
        commands.push_back(bullJobRead(stem, id));
    return commands;
}

DecodeResult BullQueue::read(const Primitive& primitive, std::span<const Reply> replies,
                             const ReadContext& context) const
{
    const bool detail = context.depth == Depth::Detail;
    const Places places(m_states.size(), detail);
    DecodeResult reading;
    QueueState queue;
    for (size_t i = 0; i < m_states.size(); ++i)
        queue.states.push_back({m_states[i].name, m_states[i].role, countOf(replies[i])});
    const Ids ids = idsOf(places, context, replies);
    for (const Reply& id : replies[places.next].items) {
        if (isMarker(id.text))
            queue.states.front().count = std::max<qint64>(0, *queue.states.front().count - 1);
    }
    const Reply& meta = replies[places.meta];
    const QByteArray paused = fieldText(meta, 1);
    queue.paused = (!paused.isEmpty() && paused != "0") || countOf(replies[places.pauseKey]) > 0;
    takeTotals(queue, replies[places.completed], replies[places.failed]);

    size_t next = places.end;
    const size_t ofActive = BullActive::each * ids.active.size();
    if (!ids.active.empty() && next + ofActive < replies.size()) {
        BullActive active{ids.active, replies.subspan(next, ofActive), {}};
        next += ofActive;
        for (const Reply& id : replies[next++].items)
            active.after.push_back(id.text);
        takeActive(queue, primitive.id.name + ":active", active);
    }
    queue.stuckByLibrary = true;
    if (!ids.next.isEmpty() && next < replies.size()) {
        if (const auto sinceMs = timeMs(replies[next++].text))
            queue.oldestReadyMs = std::max<qint64>(0, context.nowMs - *sinceMs);
    }
    std::vector<JobFacts> failed;
    for (size_t i = 0; i < ids.failed.size() && next < replies.size(); ++i) {
        if (auto job = bullJobOf(ids.failed[i], replies[next++], nullptr))
            failed.push_back(std::move(*job));
    }
    queue.failures = groupsOf(failed);
    queue.failuresRead = qint64(failed.size());
    std::vector<JobFacts> ended;
    for (size_t i = 0; i < ids.fresh.size() && next < replies.size(); ++i) {
        ended.push_back(bullJobOf(ids.fresh[i], replies[next++], nullptr).value_or(JobFacts()));
        ended.back().id = ids.fresh[i]; // its hash may no longer exist
    }
    sampleEnded(queue, context, ids.ended, ended, countOfState(queue, "completed").value_or(0));
    finalizeTimes(queue, context, failed);

    if (const QByteArray version = fieldText(meta, 0); !version.isEmpty())
        reading.state.facts.push_back(
            {LayoutText::tr("Version"), displayPreview(version, 64), Source::Stored});
    if (const auto most = wholeNumber(fieldText(meta, 2)))
        reading.state.facts.push_back(
            {LayoutText::tr("Concurrency"), QString::number(*most), Source::Stored});
    finalizeQueue(reading.state, std::move(queue), context.nowMs, 0);
    return reading;
}

namespace {

const BullState* findState(std::span<const BullState> states, const QByteArray& name)
{
    const auto state = std::find_if(states.begin(), states.end(),
                                    [&](const BullState& s) { return name == s.name; });
    return state == states.end() ? nullptr : &*state;
}

} // namespace

std::vector<Command> BullQueue::jobReads(const Primitive& primitive, const JobQuery& query,
                                         std::span<const Reply> replies) const
{
    const BullState* state = findState(m_states, query.state);
    return state ? bullJobReads(primitive.id.name, *state, query, replies) : std::vector<Command>();
}

std::vector<StoredJob> BullQueue::jobs(const Primitive& primitive, const JobQuery& query,
                                       std::span<const Reply> replies) const
{
    const BullState* state = findState(m_states, query.state);
    return state ? bullJobs(primitive.id.name, *state, query, replies) : std::vector<StoredJob>();
}

std::vector<Command> BullQueue::jobDetailReads(const Primitive& primitive, const QByteArray&,
                                               const QByteArray& id,
                                               std::span<const Reply> replies) const
{
    return bullJobDetailReads(primitive.id.name, id, replies);
}

JobDetail BullQueue::jobDetail(const Primitive&, const QByteArray&, const QByteArray& id,
                               std::span<const Reply> replies) const
{
    return bullJobDetail(id, replies);
}

QByteArray BullQueue::jobKey(const Primitive& primitive, const QByteArray&,
                             const QByteArray& id) const
{
    return bullJobKey(primitive.id.name, id);
}

} // namespace lk
