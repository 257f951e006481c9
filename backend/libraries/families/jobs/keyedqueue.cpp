// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/jobs/keyedqueue.h"

#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobsampling.h"
#include "backend/libraries/families/jobs/keyedreading.h"

#include <algorithm>

namespace lk {

namespace {

StoredJob storedJob(const JobsKey& key, const JobRead& read, QByteArray payload, JobFacts facts)
{
    if (facts.worker.isEmpty())
        facts.worker = key.worker;
    StoredJob job{key.key, std::move(payload), std::move(facts)};
    if (read.size)
        job.size = read.size;
    return job;
}

JobState& stateNamed(std::vector<JobState>& states, const JobsKey& key)
{
    const auto known = std::find_if(states.begin(), states.end(),
                                    [&](const JobState& s) { return s.name == key.state; });
    return known != states.end() ? *known : states.emplace_back(key.state, key.role, 0);
}

KeyedReading::Want wantOf(const ReadContext& context, JobNumbers numbers)
{
    KeyedReading::Want want;
    want.detail = context.depth == Depth::Detail;
    want.ended = want.detail && numbers.testFlag(JobNumber::Running);
    want.known = knownSample(context);
    return want;
}

// How many jobs ended well. Empty if the count of such a state is unknown.
std::optional<qint64> countOfDone(const QueueState& queue, const std::vector<JobsKey>& keys)
{
    std::optional<qint64> count = 0;
    for (const JobState& state : queue.states) {
        const bool isTimed = std::any_of(keys.begin(), keys.end(), [&](const JobsKey& key) {
            return key.state == state.name && key.timed;
        });
        if (state.role == JobRole::Done && isTimed)
            count = count && state.count ? std::optional(*count + *state.count) : std::nullopt;
    }
    return count;
}

} // namespace

bool KeyedQueue::mayFail(const Primitive& primitive, const Command& command) const
{
    // A key beside the queue's own may belong to another program.
    return command.args()[0] == "MEMORY" || command.args().size() < 2 || primitive.keys.empty() ||
           command.args()[1] != primitive.keys.front().key;
}

Read<DecodeResult> KeyedQueue::readState(const Primitive& primitive,
                                         const ReadContext& context) const
{
    KeyedReading reading(*this, primitive, wantOf(context, numbers()), &context);
    co_await reading.run();
    const bool detail = context.depth == Depth::Detail;
    const std::vector<JobsKey>& keys = reading.keys();
    QueueState queue;
    queue.stuckByLibrary = true;
    std::vector<JobFacts> failed;
    std::vector<JobFacts> ended;
    std::vector<qint64> matched(keys.size(), 0);
    for (const KeyedReading::Entry& entry : reading.entries()) {
        const JobsKey& key = keys[entry.key];
        std::optional<JobFacts> facts = jobOf(primitive, key, reading.setting(), entry.read);
        if (!facts)
            continue;
        ++matched[entry.key];
        if (key.role == JobRole::Ready && facts->enqueuedMs) {
            const qint64 age = std::max<qint64>(0, context.nowMs - *facts->enqueuedMs);
            queue.oldestReadyMs = std::max(queue.oldestReadyMs.value_or(0), age);
        } else if (key.role == JobRole::Processing) {
            queue.stuck += facts->leaseAlive == false ? 1 : 0;
            if (facts->startedMs)
                queue.oldestProcessingMs =
                    std::max(queue.oldestProcessingMs.value_or(0),
                             std::max<qint64>(0, context.nowMs - *facts->startedMs));
            queue.items.push_back(
                queueJobOf(storedJob(key, entry.read, payloadOf(entry.read), std::move(*facts))));
        } else if (key.role == JobRole::Dead) {
            failed.push_back(std::move(*facts));
        } else if (key.role == JobRole::Done && key.timed) {
            facts->id = entry.read.element; // the id under which it is listed
            ended.push_back(std::move(*facts));
        }
    }
    for (size_t i = 0; i < keys.size(); ++i) {
        JobState& state = stateNamed(queue.states, keys[i]);
        const std::optional<qint64> count = !keys[i].shared      ? reading.count(i)
                                            : reading.isWhole(i) ? std::optional(matched[i])
                                                                 : std::nullopt;
        state.count = state.count && count ? std::optional(*state.count + *count) : std::nullopt;
    }
    if (detail) {
        queue.failures = groupsOf(failed);
        queue.failuresRead = qint64(failed.size());
    }
    DecodeResult result;
    finish(primitive, result.state, queue, reading.setting());
    const std::optional<qint64> done = countOfDone(queue, keys);
    if (detail && done && numbers().testFlag(JobNumber::Running))
        sampleEnded(queue, context, reading.ended(), ended, *done);
    if (numbers())
        finalizeTimes(queue, context, failed);
    finalizeQueue(result.state, std::move(queue), context.nowMs, reading.bytes());
    co_return result;
}

Read<std::vector<StoredJob>> KeyedQueue::readJobs(const Primitive& primitive, JobQuery query) const
{
    KeyedReading::Want want;
    want.page = &query;
    KeyedReading reading(*this, primitive, std::move(want), nullptr);
    co_await reading.run();
    std::vector<StoredJob> jobs;
    // Several keys, and a key with other queues' jobs, were read from their start.
    const std::vector<JobsKey>& keys = reading.keys();
    qint64 before = keys.size() == 1 && !keys[0].shared ? 0 : query.offset;
    for (const KeyedReading::Entry& entry : reading.entries()) {
        const JobsKey& key = keys[entry.key];
        std::optional<JobFacts> facts = jobOf(primitive, key, reading.setting(), entry.read);
        if (!facts || before-- > 0)
            continue;
        if (qint64(jobs.size()) >= query.limit)
            break;
        jobs.push_back(storedJob(key, entry.read, payloadOf(entry.read), std::move(*facts)));
    }
    co_return jobs;
}

Read<JobDetail> KeyedQueue::readDetail(const Primitive&, const JobRead&, JobDetail detail) const
{
    co_return detail;
}

// Empty for a hash whose fields are jobs, since it holds all of them.
QByteArray KeyedQueue::jobKey(const Primitive& primitive, const QByteArray& state,
                              const QByteArray& id) const
{
    JobsKey key;
    key.state = state;
    const JobStore store = storeOf(primitive, key, id);
    const bool own = !id.isEmpty() && store.field != id && store.key.endsWith(id);
    return own ? store.key : QByteArray();
}

Read<JobDetail> KeyedQueue::readJob(const Primitive& primitive, QByteArray state,
                                    QByteArray id) const
{
    JobDetail detail;
    JobsKey key;
    key.state = state;
    if (id.isEmpty() || storeOf(primitive, key, id).key.isEmpty())
        co_return detail;
    KeyedReading::Want want;
    want.state = state;
    want.id = id;
    KeyedReading reading(*this, primitive, std::move(want), nullptr);
    co_await reading.run();
    const JobRead* read = reading.entries().empty() ? nullptr : &reading.entries().front().read;
    std::optional<JobFacts> facts;
    if (read && !isGone(*read))
        facts = jobOf(primitive, reading.keys().front(), reading.setting(), *read);
    if (!facts) {
        detail.problem = Error{ErrorCode::NotFound, {}};
        co_return detail;
    }
    detail.facts = std::move(*facts);
    detail.payload = payloadOf(*read);
    detail.payloadCut = read->stored.isEmpty();
    addDetail(*read, detail);
    detail = co_await readDetail(primitive, *read, std::move(detail));
    co_return detail;
}

} // namespace lk
