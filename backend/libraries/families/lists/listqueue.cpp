// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/lists/listqueue.h"

#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/lists/listactions.h"
#include "backend/libraries/families/lists/listedjobs.h"
#include "backend/libraries/families/lists/listreading.h"

#include <algorithm>

namespace lk {

namespace {

constexpr size_t maxLists = 64;

std::vector<const KeyRole*> listed(const Primitive& primitive)
{
    std::vector<const KeyRole*> keys;
    for (const KeyRole& key : primitive.keys) {
        const bool known = key.role == "ready" || key.role == "processing" ||
                           key.role == "delayed" || key.role == "dead";
        if (known && !key.key.isEmpty() && keys.size() < maxLists)
            keys.push_back(&key);
    }
    return keys;
}

std::optional<qint64>& countFor(QueueState& queue, const QByteArray& role)
{
    if (role == "processing")
        return queue.processing;
    if (role == "delayed")
        return queue.delayed;
    return role == "dead" ? queue.dead : queue.ready;
}

void finalizeList(State& state, QueueState queue)
{
    const qint64 dead = queue.dead.value_or(0);
    const qint64 busy = queue.processing.value_or(0);
    const qint64 all = queue.ready.value_or(0) + busy + queue.delayed.value_or(0) + dead;
    state.present = all > 0;
    state.health = dead > 0 ? Health::Warning : all > 0 ? Health::Ok : Health::Idle;
    state.urgency = double(dead) * 1000 + double(all);
    state.body = std::move(queue);
}

// The lists whose jobs are read: those in progress and the next ones.
std::vector<JobList> jobLists(const Primitive& primitive, const ReadContext& context)
{
    std::vector<JobList> lists;
    if (context.payloads == PayloadRead::None)
        return lists;
    qint64 processing = 0;
    for (const KeyRole* key : listed(primitive))
        processing += key->role == "processing" ? 1 : 0;
    for (const KeyRole* key : listed(primitive)) {
        const bool worked = key->role == "processing";
        if (!worked && key->role != "ready")
            continue;
        JobList list{key};
        const std::optional<qint64> each = weightOf(context, key->role);
        list.ends = worked && areEndsLight(each);
        if (context.payloads == PayloadRead::Full)
            list.jobs = worked ? jobsWanted(each, jobBytesRead / processing)
                               : jobsWithin(each, jobBytesRead);
        lists.push_back(list);
    }
    return lists;
}

// Keeps the previous sizes of jobs that were not measured this time.
void keepWeights(State& state, QueueState& queue, const ReadContext& context)
{
    const auto* known = knownQueue(context);
    if (!known || context.payloads != PayloadRead::None)
        return;
    state.bytes = context.previous->bytes;
    state.bytesKey = context.previous->bytesKey;
    queue.readyItemBytes = known->readyItemBytes;
    if (queue.processing.value_or(0) > 0)
        queue.itemBytes = known->itemBytes;
}

void weigh(State& state, QueueState& queue, const std::vector<JobListRead>& reads)
{
    std::optional<qint64> bytes;
    for (const JobListRead& read : reads) {
        if (!read.weighed)
            continue;
        if (!state.bytes || read.weight > *state.bytes) {
            state.bytes = read.weight;
            state.bytesKey = read.list.key->key;
        }
        if (read.list.key->role == "ready")
            queue.readyItemBytes = read.weight / std::max<qint64>(1, queue.ready.value_or(0));
        else
            bytes = bytes.value_or(0) + read.weight;
    }
    if (const qint64 processing = queue.processing.value_or(0); bytes && processing > 0)
        queue.itemBytes = *bytes / processing;
}

void takeItems(QueueState& queue, const std::vector<JobListRead>& reads)
{
    std::vector<quint64> next;
    for (const JobListRead& read : reads) {
        if (read.list.key->role == "ready") {
            for (const Reply& item : read.jobs)
                next.push_back(fingerprintOf(item.text));
            continue;
        }
        for (auto item = read.jobs.rbegin(); item != read.jobs.rend(); ++item)
            queue.items.push_back(queueJobOf(item->text, read.list.key->key));
    }
    if (!queue.items.empty())
        queue.duplicates = duplicatesOf(queue.items, std::move(next));
}

void keepItems(QueueState& queue, const ReadContext& context)
{
    const auto* known = knownQueue(context);
    if (!known || queue.processing.value_or(0) == 0)
        return;
    queue.items = known->items;
    queue.duplicates = known->duplicates;
}

} // namespace

ActionList listQueueActions()
{
    return {&actions::requeueJobs(), &actions::deadLetterJobs(), &actions::retryJobs(),
            &actions::promoteJobs(), &actions::discardJobs(),    &actions::pushItem(),
            &actions::rotateList()};
}

std::vector<Command> listQueueReads(const Primitive& primitive, const ReadContext& context)
{
    std::vector<Command> commands;
    for (const KeyRole* key : listed(primitive))
        commands.push_back(
            {key->role == "delayed" ? QByteArrayLiteral("ZCARD") : QByteArrayLiteral("LLEN"),
             key->key});
    for (const JobList& list : jobLists(primitive, context))
        askForJobs(commands, list);
    return commands;
}

DecodeResult listQueueRead(const Primitive& primitive, std::span<const Reply> replies,
                           const ReadContext& context)
{
    DecodeResult reading;
    QueueState queue;
    const std::vector<const KeyRole*> keys = listed(primitive);
    // States without a known key are empty. A processing list may have any name.
    queue.delayed = 0;
    queue.dead = 0;
    std::vector<JobList> lists = jobLists(primitive, context);
    for (size_t i = 0; i < keys.size(); ++i) {
        const qint64 length = countOf(replies[i]);
        std::optional<qint64>& count = countFor(queue, keys[i]->role);
        count = count.value_or(0) + length;
        for (JobList& list : lists)
            list.length = list.key == keys[i] ? length : list.length;
    }
    queue.states = listJobStates(queue);
    std::span<const Reply> rest = replies.subspan(keys.size());
    std::vector<JobListRead> reads;
    for (const JobList& list : lists)
        reads.push_back(takeJobs(rest, list));
    keepWeights(reading.state, queue, context);
    weigh(reading.state, queue, reads);
    if (context.payloads == PayloadRead::Full) {
        takeItems(queue, reads);
        reading.wantsLarge = !context.large && queue.processing.value_or(0) > 0 &&
                             queue.itemBytes && !weightOf(context, "processing");
    } else {
        keepItems(queue, context);
    }
    judgePayloads(reading.state, queue, reads, context);
    queue.itemsTruncated = qint64(queue.items.size()) < queue.processing.value_or(0);
    if (isMonstrous(queue.itemBytes))
        reading.state.facts.push_back(
            {LayoutText::tr("Items"), LayoutText::tr("too large to preview"), Source::Stored});
    if (primitive.declaration && primitive.declaration->stuckAfterMs)
        queue.stuckAfterMs = *primitive.declaration->stuckAfterMs;
    finalizeList(reading.state, std::move(queue));
    return reading;
}

} // namespace lk
