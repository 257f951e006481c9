// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/sidekiq/sidekiqstate.h"

#include "backend/libraries/catalogue/sidekiq/sidekiqnames.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobsampling.h"
#include "backend/libraries/families/jobs/jobtexts.h"

#include <QJsonArray>

#include <algorithm>

namespace lk {

namespace {

// A shared set is read completely up to this many members and bytes. The second limit applies to a
// detail pane.
constexpr qint64 mostMembers[] = {500, 2000};
constexpr qint64 mostSetBytes[] = {256 * 1024, 2 * 1024 * 1024};
// A process renews its key's TTL of 60 s at least every 10 s. Sidekiq considers it dead once the
// key has expired.
constexpr qint64 fullLeaseMs = 60'000;

// The number of members of a set, and its bytes.
struct SetSize
{
    Reply members;
    qint64 bytes = 0;
};

// Whether the shared set is read completely.
bool isRead(const SetSize& size, bool alone, const ReadContext& context)
{
    const bool detail = context.depth == Depth::Detail;
    const qint64 members = countOf(size.members);
    return context.payloads == PayloadRead::Full && (!alone || detail) && members > 0 &&
           members <= mostMembers[detail] && size.bytes <= mostSetBytes[detail];
}

Command setRead(const SidekiqQueue& queue, const SidekiqSet& set, bool detail)
{
    return {set.role == JobRole::Dead ? "ZREVRANGE" : "ZRANGE", queue.space + set.key, "0",
            QByteArray::number(mostMembers[detail] - 1), "WITHSCORES"};
}

// Version 8 names the queues twice. From version 9 on only the capsules name them, each with its
// weight. A process that names no queues may work on any.
bool listensTo(const QJsonObject& info, const QString& queue)
{
    const QJsonValue queues = info.value(QLatin1String("queues"));
    const QJsonValue capsules = info.value(QLatin1String("capsules"));
    if (!queues.isArray() && !capsules.isObject())
        return true;
    if (queues.toArray().contains(queue))
        return true;
    const QJsonObject all = capsules.toObject();
    return std::any_of(all.begin(), all.end(), [&](const QJsonValue& capsule) {
        return capsule.toObject().value(QLatin1String("weights")).toObject().contains(queue);
    });
}

// info: what the process says of itself.
QueueWorker workerOf(const QByteArray& process, const QJsonObject& info, const Reply& ttl,
                     qint64 nowMs)
{
    QueueWorker worker;
    worker.name = process;
    worker.host = jsonText(info, "hostname");
    worker.process = jsonText(info, "pid");
    if (worker.process.isEmpty()) {
        const QList<QByteArray> parts = process.split(':');
        worker.host = parts.value(0);
        worker.process = parts.value(1);
    }
    const qint64 left = ttl.isInteger() ? ttl.integer : -2;
    worker.alive = left != -2;
    if (left >= 0)
        worker.lastSeenMs = nowMs - std::max<qint64>(0, fullLeaseMs - left);
    return worker;
}

// The number of processed jobs includes the failed ones. Both count all queues. They are this
// queue's own only if there is no other.
void takeTotals(QueueState& state, const Reply& processed, const Reply& failed, bool alone)
{
    const std::optional<qint64> all = integerOf(processed);
    if (!all)
        return;
    state.failedTotal = integerOf(failed).value_or(0);
    state.completedTotal = std::max<qint64>(0, *all - *state.failedTotal);
    state.rateSource = alone ? RateSource::Totals : RateSource::TotalsOfAll;
}

std::optional<qint64> countBefore(const ReadContext& context, const char* state)
{
    const State* known = context.previous;
    const auto* queue = known && !known->problem ? known->as<QueueState>() : nullptr;
    return queue ? countOfState(*queue, state) : std::nullopt;
}

Read<DecodeResult> readState(SidekiqQueue queue, const ReadContext& context)
{
    const QByteArray key = sidekiqQueueKey(queue.space, queue.queue);
    std::vector<Command> counts{Command{"LLEN", key},
                                Command{"LRANGE", key, "-1", "-1"},
                                Command{"SCARD", queue.space + "queues"},
                                sidekiqProcessesRead(queue),
                                Command{"GETRANGE", queue.space + "stat:processed", "0", "20"},
                                Command{"GETRANGE", queue.space + "stat:failed", "0", "20"}};
    std::vector<Command> sizes;
    for (const SidekiqSet& set : sidekiqSets) {
        sizes.push_back({"ZCARD", queue.space + set.key});
        sizes.push_back({"MEMORY", "USAGE", queue.space + set.key, "SAMPLES", "5"});
    }
    auto [first, sized, lists] = co_await together(
        replied(std::move(counts)), replied(std::move(sizes)), readSidekiqWorking(queue));

    const bool alone = countOf(first[2]) == 1;
    const std::vector<QByteArray> processes = sidekiqProcessesOf(first[3]);
    std::vector<Command> fields;
    for (const QByteArray& process : processes) {
        fields.push_back({"HMGET", queue.space + process, "info"});
        fields.push_back({"PTTL", queue.space + process});
    }
    std::vector<SetSize> sets;
    std::vector<Command> members;
    quint64 fingerprint = 0;
    for (size_t i = 0; i < std::size(sidekiqSets); ++i) {
        sets.push_back({sized[2 * i], countOf(sized[2 * i + 1])});
        fingerprint = qHashMulti(fingerprint, countOf(sets[i].members));
        if (isRead(sets[i], alone, context))
            members.push_back(setRead(queue, sidekiqSets[i], context.depth == Depth::Detail));
    }
    auto [described, work, listed] = co_await together(
        replied(std::move(fields)), readSidekiqWork(queue, processes), replied(std::move(members)));

    QueueState state;
    state.stuckByLibrary = true;
    state.workersKnown = !first[3].isError();
    for (const QByteArray& payload : textsOf(first[1])) {
        const std::optional<SidekiqJob> job = sidekiqJobOf(payload);
        if (job && job->facts.enqueuedMs)
            state.oldestReadyMs = std::max<qint64>(0, context.nowMs - *job->facts.enqueuedMs);
    }
    takeTotals(state, first[4], first[5], alone);
    for (size_t i = 0; i < processes.size(); ++i) {
        const QJsonObject info = jsonObject(fieldText(described[2 * i], 0));
        QueueWorker worker = workerOf(processes[i], info, described[2 * i + 1], context.nowMs);
        worker.jobs = 0;
        for (StoredJob& job : work) {
            if (job.facts.worker != worker.name)
                continue;
            worker.jobs = *worker.jobs + 1;
            job.facts.leaseAlive = worker.alive;
        }
        if (listensTo(info, QString::fromUtf8(queue.queue)) || worker.jobs > 0)
            state.workers.push_back(std::move(worker));
    }
    qint64 bytes = 0;
    qint64 unlisted = 0; // jobs in the fetchers' lists that were not read
    for (const SidekiqWorking& list : lists)
        unlisted += std::max<qint64>(0, list.length - qint64(list.jobs.size()));
    for (const StoredJob& job : sidekiqBusy(lists, std::move(work))) {
        bytes += job.payload.size();
        QueueJob item = queueJobOf(job);
        state.stuck += item.facts.leaseAlive == false ? 1 : 0;
        if (item.facts.startedMs)
            state.oldestProcessingMs = std::max(state.oldestProcessingMs.value_or(0),
                                                context.nowMs - *item.facts.startedMs);
        state.items.push_back(std::move(item));
    }
    state.states.push_back({"enqueued", JobRole::Ready, countOf(first[0])});
    state.states.push_back({"busy", JobRole::Processing, qint64(state.items.size()) + unlisted});

    std::vector<JobFacts> failed;
    size_t next = 0;
    for (size_t i = 0; i < sets.size(); ++i) {
        const SidekiqSet& set = sidekiqSets[i];
        const Reply& size = sets[i].members;
        std::optional<qint64> count;
        if (isRead(sets[i], alone, context)) {
            count = 0;
            for (const ScoredMember& member : scoredMembersOf(listed[next++])) {
                bytes += member.member.size();
                std::optional<SidekiqJob> job = sidekiqJobOf(member.member);
                if (!job || job->queue != queue.queue)
                    continue;
                ++*count;
                if (!job->facts.error.isEmpty())
                    failed.push_back(std::move(job->facts));
            }
        } else if (alone || countOf(size) == 0) {
            count = size.isError() ? std::nullopt : std::optional(countOf(size));
        } else if (context.payloads != PayloadRead::Full) {
            count = countBefore(context, set.name);
        }
        // Only GitLab's fetcher uses the set "interrupted".
        if (qstrcmp(set.key, "interrupted") != 0 || count.value_or(0) > 0)
            state.states.push_back({set.name, set.role, count});
    }
    state.failures = groupsOf(failed);
    state.failuresRead = qint64(failed.size());
    const PayloadFacts before = context.previous ? *context.previous->payloads : PayloadFacts();
    DecodeResult reading;
    finalizeTimes(state, context);
    finalizeQueue(reading.state, std::move(state), context.nowMs, bytes);
    reading.state.payloads.edit().fingerprint = fingerprint;
    if (context.payloads != PayloadRead::Full) {
        reading.state.payloads = before;
        reading.state.payloads.edit().changed = before.changed || before.fingerprint != fingerprint;
    }
    co_return reading;
}

} // namespace

Read<DecodeResult> readSidekiqState(SidekiqQueue queue, const ReadContext& context)
{
    return readState(std::move(queue), context);
}

} // namespace lk
