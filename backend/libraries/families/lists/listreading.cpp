// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/lists/listreading.h"

#include "backend/libraries/detect/replyvalues.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 queueJobsMostJobs = 50;                // per list
constexpr qint64 queueJobsLargestJob = 4 * 1024 * 1024; // larger jobs are not read at all
constexpr qint64 lightJob = 512;

// About how many bytes the read of the jobs of both roles returns.
qint64 expectedBytes(const QueueState& queue)
{
    const qint64 processing = queue.processing.value_or(0);
    if (processing == 0)
        return 0;
    const qint64 worked = std::min(processing, jobsWanted(queue.itemBytes, jobBytesRead));
    const qint64 next =
        std::min(queue.ready.value_or(0), jobsWithin(queue.readyItemBytes, jobBytesRead));
    return worked * queue.itemBytes.value_or(0) + next * queue.readyItemBytes.value_or(0);
}

} // namespace

const QueueState* knownQueue(const ReadContext& context)
{
    const bool usable = context.previous && !context.previous->problem;
    return usable ? context.previous->as<QueueState>() : nullptr;
}

std::optional<qint64> weightOf(const ReadContext& context, const QByteArray& role)
{
    const QueueState* queue = knownQueue(context);
    if (!queue)
        return std::nullopt;
    return role == "ready" ? queue->readyItemBytes : queue->itemBytes;
}

qint64 jobsWanted(std::optional<qint64> each, qint64 bytes)
{
    if (!each || *each > queueJobsLargestJob)
        return 0;
    return std::clamp<qint64>(bytes / std::max<qint64>(*each, 1), 1, queueJobsMostJobs);
}

qint64 jobsWithin(std::optional<qint64> each, qint64 bytes)
{
    return each && *each <= bytes ? jobsWanted(each, bytes) : 0;
}

bool isMonstrous(std::optional<qint64> each)
{
    return each.value_or(0) > queueJobsLargestJob;
}

bool areEndsLight(std::optional<qint64> each)
{
    return each && *each <= lightJob;
}

void askForJobs(std::vector<Command>& commands, const JobList& list)
{
    const QByteArray& key = list.key->key;
    commands.push_back({QByteArrayLiteral("MEMORY"), QByteArrayLiteral("USAGE"), key,
                        QByteArrayLiteral("SAMPLES"), QByteArrayLiteral("5")});
    // With one command, so that a user may read all or nothing.
    const auto range = [&](qint64 from, qint64 to) {
        commands.push_back(
            {QByteArrayLiteral("LRANGE"), key, QByteArray::number(from), QByteArray::number(to)});
    };
    if (list.ends) {
        range(0, 0);
        range(-1, -1);
    }
    if (list.jobs > 0)
        range(-list.jobs, -1);
}

JobListRead takeJobs(std::span<const Reply>& replies, const JobList& list)
{
    JobListRead read;
    read.list = list;
    read.weight = countOf(replies[0]);
    read.weighed = !replies[0].isError();
    read.fingerprint = qHashMulti(0, list.length, read.weight);
    size_t taken = 1;
    if (list.ends) {
        for (; taken < 3; ++taken) {
            for (const Reply& end : replies[taken].items)
                read.fingerprint = qHashMulti(read.fingerprint, fingerprintOf(end.text));
        }
    }
    if (list.jobs > 0)
        read.jobs = replies[taken++].items;
    replies = replies.subspan(taken);
    return read;
}

void judgePayloads(State& state, const QueueState& queue, const std::vector<JobListRead>& reads,
                   const ReadContext& context)
{
    const QueueState* known = knownQueue(context);
    const qint64 processing = queue.processing.value_or(0);
    const PayloadFacts before = known ? *context.previous->payloads : PayloadFacts();
    PayloadFacts& now = state.payloads.edit();
    now = before;
    quint64 fingerprint = 0;
    for (const JobListRead& read : reads) {
        if (read.list.key->role == "processing")
            fingerprint = qHashMulti(fingerprint, read.fingerprint);
    }
    if (!reads.empty() && (processing == 0 || queue.itemBytes))
        now.bytes = expectedBytes(queue);
    const bool read = context.payloads == PayloadRead::Full && weightOf(context, "processing");
    if (processing == 0 || read) {
        now.asOfMs = context.nowMs;
        now.changed = false;
        now.fingerprint = fingerprint;
        return;
    }
    const bool probed = context.payloads == PayloadRead::Probe;
    now.changed = before.changed || !before.asOfMs || known->processing != queue.processing ||
                  (probed && fingerprint != before.fingerprint);
    if (context.unchanged && !now.changed)
        now.asOfMs = context.nowMs;
}

qint64 duplicatesOf(const std::vector<QueueJob>& items, std::vector<quint64> next)
{
    std::sort(next.begin(), next.end());
    std::vector<quint64> own;
    for (const QueueJob& item : items)
        own.push_back(item.fingerprint);
    std::sort(own.begin(), own.end());
    qint64 twice = 0;
    for (auto it = own.begin(); it != own.end();) {
        const auto end = std::upper_bound(it, own.end(), *it);
        twice += end - it > 1 || std::binary_search(next.begin(), next.end(), *it);
        it = end;
    }
    return twice;
}

} // namespace lk
