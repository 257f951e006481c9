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

Read<DecodeResult> BullQueue::readState(const Primitive& primitive,
                                        const ReadContext& context) const
{
    const QByteArray& name = primitive.id.name;
    const QByteArray stem = name + ':';
    std::vector<Command> counts;
    for (const BullState& state : m_states)
        counts.push_back(
            {state.shape == BullState::Shape::List ? "LLEN" : "ZCARD", stem + state.name});
    Command metaRead{"HMGET", stem + "meta"};
    for (const char* field : metaFields)
        metaRead << field;
    const QByteArray pause = pauseKey(name);
    std::vector<Command> others{
        std::move(metaRead),
        Command{"EXISTS", pause.isEmpty() ? stem + "meta-paused" : pause},
        Command{"LRANGE", stem + "active", QByteArray::number(-jobsInProgressRead), "-1"},
        Command{"LRANGE", stem + "wait", "-2", "-1"},
        Command{"HGET", stem + "metrics:completed", "count"},
        Command{"HGET", stem + "metrics:failed", "count"}};
    if (context.depth == Depth::Detail) {
        others.push_back({"ZREVRANGE", stem + "failed", "0", QByteArray::number(failuresRead - 1)});
        others.push_back(
            {"ZREVRANGE", stem + "completed", "0", QByteArray::number(endedJobsRead - 1)});
    }
    const auto [counted, rest] =
        co_await together(replied(std::move(counts)), replied(std::move(others)));

    QueueState queue;
    for (size_t i = 0; i < m_states.size(); ++i)
        queue.states.push_back({m_states[i].name, m_states[i].role, countOf(counted[i])});
    const Reply& meta = rest[0];
    const QByteArray paused = fieldText(meta, 1);
    queue.paused = (!paused.isEmpty() && paused != "0") || countOf(rest[1]) > 0;
    std::vector<QByteArray> active = textsOf(rest[2]);
    std::reverse(active.begin(), active.end()); // oldest first
    std::vector<Command> next; // of the job that has waited longest, at the right end
    for (const QByteArray& id : textsOf(rest[3])) {
        if (isMarker(id))
            queue.states.front().count = std::max<qint64>(0, *queue.states.front().count - 1);
        else
            next = {{"HGET", stem + id, "timestamp"}};
    }
    takeTotals(queue, rest[4], rest[5]);
    const bool isDetail = rest.size() > 6;
    std::vector<QByteArray> failedIds;
    std::vector<QByteArray> endedIds;
    if (isDetail) {
        failedIds = textsOf(rest[6]);
        endedIds = textsOf(rest[7]);
    }
    const std::vector<QByteArray> fresh = unsampled(knownSample(context), endedIds);

    auto [items, timestamp, failures, completions] =
        co_await together(readBullActive(name, std::move(active)), replied(std::move(next)),
                          readBullFacts(name, std::move(failedIds)), readBullFacts(name, fresh));
    addActive(queue, std::move(items));
    for (const Reply& since : timestamp) {
        if (const auto sinceMs = timeMs(since.text))
            queue.oldestReadyMs = std::max<qint64>(0, context.nowMs - *sinceMs);
    }
    std::vector<JobFacts> failed;
    for (std::optional<JobFacts>& job : failures) {
        if (job)
            failed.push_back(std::move(*job));
    }
    queue.failures = groupsOf(failed);
    queue.failuresRead = qint64(failed.size());
    std::vector<JobFacts> ended;
    for (size_t i = 0; i < fresh.size(); ++i) {
        ended.push_back(completions[i].value_or(JobFacts()));
        ended.back().id = fresh[i]; // its hash may no longer exist
    }
    sampleEnded(queue, context, endedIds, ended, countOfState(queue, "completed").value_or(0));
    finalizeTimes(queue, context, failed);

    DecodeResult reading;
    if (const QByteArray version = fieldText(meta, 0); !version.isEmpty())
        reading.state.facts.push_back(
            {LayoutText::tr("Version"), displayPreview(version, 64), Source::Stored});
    if (const auto most = wholeNumber(fieldText(meta, 2)))
        reading.state.facts.push_back(
            {LayoutText::tr("Concurrency"), QString::number(*most), Source::Stored});
    finalizeQueue(reading.state, std::move(queue), context.nowMs, 0);
    co_return reading;
}

namespace {

const BullState* findState(std::span<const BullState> states, const QByteArray& name)
{
    const auto state = std::find_if(states.begin(), states.end(),
                                    [&](const BullState& s) { return name == s.name; });
    return state == states.end() ? nullptr : &*state;
}

} // namespace

Read<std::vector<StoredJob>> BullQueue::readJobs(const Primitive& primitive, JobQuery query) const
{
    if (const BullState* state = findState(m_states, query.state))
        return readBullJobs(primitive.id.name, *state, std::move(query));
    return Layout::readJobs(primitive, std::move(query));
}

Read<JobDetail> BullQueue::readJob(const Primitive& primitive, QByteArray, QByteArray id) const
{
    return readBullJob(primitive.id.name, std::move(id));
}

QByteArray BullQueue::jobKey(const Primitive& primitive, const QByteArray&,
                             const QByteArray& id) const
{
    return bullJobKey(primitive.id.name, id);
}

} // namespace lk
