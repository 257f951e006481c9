// SPDX-License-Identifier: GPL-3.0-or-later
// RPOPLPUSH jobs jobs:processing, LREM when done: a list of what waits and lists of what is worked
// on. Items enter a processing list on its left, so the oldest are at its right end.
#include "backend/core/names/glob.h"
#include "backend/core/names/namewords.h"
#include "backend/layouts/plannedlayout.h"
#include "backend/layouts/probe/replyvalues.h"
#include "backend/layouts/probe/siblingkeys.h"
#include "backend/layouts/probe/valueshape.h"
#include "backend/layouts/queues/queuejobs.h"
#include "backend/layouts/queues/queuenames.h"
#include "backend/layouts/queues/reliablejobs.h"

#include <algorithm>
#include <array>

namespace lk {

namespace {

// An object with what only jobs have: what to call, with what, how often it was tried.
bool carriesJob(const QByteArray& element)
{
    constexpr std::array fields{"\"args\"",    "\"payload\"",  "\"class\"",   "\"task\"",
                                "\"handler\"", "\"attempts\"", "\"retries\"", "\"job\""};
    return looksLikeJson(element) && std::any_of(fields.begin(), fields.end(), [&](auto field) {
               return element.contains(field);
           });
}

constexpr size_t maxLists = 64;

class ReliableList final : public PlannedLayout, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("reliable-list"); }
    QString title() const override { return LayoutText::tr("Reliable list"); }
    Kind kind() const override { return Kind::Queue; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::ZSet;
    }
    QByteArray mainRole() const override { return QByteArrayLiteral("ready"); }
    KeyType mainType() const override { return KeyType::List; }
    std::vector<ConfigField> configFields() const override
    {
        return {{"processing", FieldShape::Companion},
                {"dead", FieldShape::Companion},
                {"delayed", FieldShape::Companion},
                {"stuck_after", FieldShape::Duration, &Declaration::stuckAfterMs}};
    }
    QString exampleDeclaration() const override
    {
        return QStringLiteral("[[queue]]\n"
                              "key = \"jobs\"\n"
                              "layout = \"reliable-list\"\n"
                              "processing = \"jobs:processing\"\n"
                              "stuck_after = \"30s\"");
    }
    bool isPlainest(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::None;
    }

    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        if (type == KeyType::ZSet && !hasWord(name, words<"delayed", "scheduled">))
            return {};
        const QueueName part = queueNameOf(name);
        if (type == KeyType::ZSet)
            return part.role == "delayed" ? std::vector{part.stem, processingNameFor(part)}
                                          : std::vector<QByteArray>();
        if (type != KeyType::List || part.stem.isEmpty())
            return {};
        if (part.role == "ready")
            return {processingNameFor(part)};
        std::vector<QByteArray> names = readyNamesFor(part);
        if (part.role == "dead")
            names.push_back(processingNameFor(part));
        return names;
    }

    std::function<bool(const QByteArray&)> furtherKeys(const QByteArray& name) const override
    {
        return [name](const QByteArray& key) {
            const QueueName part = queueNameOf(key);
            return part.stem == name;
        };
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        // Most sorted sets are none of ours: told by a glance.
        if (probe.type == KeyType::ZSet && !hasWord(probe.name, words<"delayed", "scheduled">))
            return std::nullopt;
        QueueName part = queueNameOf(probe.name);
        const KeyType expected = part.role == "delayed" ? KeyType::ZSet : KeyType::List;
        if (probe.type != expected)
            return std::nullopt;
        const QByteArray ready = part.role == "ready" ? probe.name : readyBeside(probe, part);
        const bool processes = probe.sibling(processingNameFor(part)) == KeyType::List;
        const bool hasReady = part.role != "ready" && probe.sibling(ready) == KeyType::List;
        const double confidence = confidenceOf(probe, part, hasReady, processes);
        if (confidence == 0)
            return std::nullopt;
        // Workers may take from a list of another name: what was not seen is not written to.
        const bool assumed = part.role != "ready" && !hasReady;
        Claim claim{{id(), part.stem}, {{mainRole(), ready, assumed}}, confidence};
        if (processes)
            claim.keys.push_back({QByteArrayLiteral("processing"), processingNameFor(part)});
        if (part.role != "ready")
            claim.keys.push_back({part.role, probe.name});
        return claim;
    }

    Claim declared(const Declaration& declaration, const QByteArray& name) const override
    {
        const QueueName part = queueNameOf(name);
        // A pattern that reaches further than the ready lists: the others belong to theirs.
        if (declaration.pattern != name && part.role != "ready")
            return {{id(), part.stem},
                    {{mainRole(), part.stem, !globMatches(declaration.pattern, part.stem)},
                     {part.role, name}},
                    1.0};
        Claim claim = Layout::declared(declaration, name);
        if (declaration.companion("processing", name).isEmpty())
            claim.keys.push_back({QByteArrayLiteral("processing"), processingNameFor(part), true});
        const QByteArray processing = claim.keys[1].key;
        if (!part.plain && part.role == "ready" && queueNameOf(processing).stem == part.stem)
            claim.id.name = part.stem;
        return claim;
    }

    bool bearsOnPayloads(const QByteArray& role) const override { return role == "processing"; }

    std::vector<QByteArray> actions() const override
    {
        return {"queue.requeue", "queue.dead-letter", "queue.retry", "queue.promote",
                "queue.discard", "queue.push",        "queue.rotate"};
    }

    std::vector<Command> jobReads(const Primitive& primitive, const JobQuery& query,
                                  std::span<const Reply> replies) const override
    {
        return reliableJobReads(primitive, query, replies);
    }
    std::vector<StoredJob> jobs(const Primitive& primitive, const JobQuery& query,
                                std::span<const Reply> replies) const override
    {
        return reliableJobs(primitive, query, replies);
    }

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
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

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        QueueState queue;
        const std::vector<const KeyRole*> keys = listed(primitive);
        // What has no key known by its name is empty; a processing list may be anywhere.
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
        queue.states = reliableJobStates(queue);
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

private:
    // What is worked on, and what is next: of these the jobs are read.
    static std::vector<JobList> jobLists(const Primitive& primitive, const ReadContext& context)
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

    // What was not weighed this time weighs as before.
    static void keepWeights(State& state, QueueState& queue, const ReadContext& context)
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

    static void weigh(State& state, QueueState& queue, const std::vector<JobListRead>& reads)
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

    static void takeItems(QueueState& queue, const std::vector<JobListRead>& reads)
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

    static void keepItems(QueueState& queue, const ReadContext& context)
    {
        const auto* known = knownQueue(context);
        if (!known || queue.processing.value_or(0) == 0)
            return;
        queue.items = known->items;
        queue.duplicates = known->duplicates;
    }

    // Redis removes an empty list, so the ready list may be missing while its items are worked on.
    static QByteArray readyBeside(const Probe& probe, const QueueName& part)
    {
        for (const QByteArray& name : readyNamesFor(part)) {
            if (probe.sibling(name) == KeyType::List)
                return name;
        }
        return part.stem;
    }

    // Two lists that are called like the ends of a queue are one; else the name alone has to say
    // so, and nothing besides.
    static double confidenceOf(const Probe& probe, const QueueName& part, bool hasReady,
                               bool processes)
    {
        if (processes || (hasReady && part.strong))
            return 0.8;
        if (hasReady)
            return isQueueName(probe.name) || probe.name.endsWith("dead") ? 0.7 : 0.4;
        if (part.role == "delayed")
            return 0;
        const QByteArray name = part.role == "ready" ? probe.name : part.stem;
        if (isQueueName(name) && !isListOfOthers(name) && carriesJob(probe.first))
            return 0.6;
        if (isQueueAlone(name))
            return part.strong ? 0.6 : 0.5;
        const bool named = isQueueName(probe.name) || (part.strong && part.role == "processing");
        return named && !isListOfOthers(probe.name) ? 0.4 : 0;
    }

    static std::vector<const KeyRole*> listed(const Primitive& primitive)
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

    static std::optional<qint64>& countFor(QueueState& queue, const QByteArray& role)
    {
        if (role == "processing")
            return queue.processing;
        if (role == "delayed")
            return queue.delayed;
        return role == "dead" ? queue.dead : queue.ready;
    }

    static void finalizeList(State& state, QueueState queue)
    {
        const qint64 dead = queue.dead.value_or(0);
        const qint64 busy = queue.processing.value_or(0);
        const qint64 all = queue.ready.value_or(0) + busy + queue.delayed.value_or(0) + dead;
        state.present = all > 0;
        state.health = dead > 0 ? Health::Warning : all > 0 ? Health::Ok : Health::Idle;
        state.urgency = double(dead) * 1000 + double(all);
        state.body = std::move(queue);
    }
};

} // namespace

namespace layouts {
const Layout& reliableList()
{
    static const ReliableList layout;
    return layout;
}
} // namespace layouts

} // namespace lk
