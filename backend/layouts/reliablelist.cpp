// SPDX-License-Identifier: GPL-3.0-or-later
// RPOPLPUSH jobs jobs:processing, LREM when done: a list of what waits and lists of what is worked
// on. Items enter a processing list on its left, so the oldest are at its right end.
#include "backend/core/glob.h"
#include "backend/core/keyname.h"
#include "backend/layouts/plannedlayout.h"
#include "backend/layouts/queuenames.h"
#include "backend/layouts/replyvalues.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 itemsRead = 50;             // of each list, for a detail pane
constexpr qint64 bytesRead = 256 * 1024;     // of each list, about
constexpr qint64 largestItem = 4 * 1024 * 1024; // above this not even one is read
constexpr size_t maxLists = 64;
constexpr qsizetype previewBytes = 512;

QueueItem itemOf(const QByteArray& payload)
{
    return {payload.left(previewBytes), payload.size(), fingerprintOf(payload), std::nullopt};
}

class ReliableList final : public PlannedLayout
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

    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        if (type == KeyType::ZSet && !hasWord(name, {"delayed", "scheduled"}))
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
        if (probe.type == KeyType::ZSet && !hasWord(probe.name, {"delayed", "scheduled"}))
            return std::nullopt;
        QueueName part = queueNameOf(probe.name);
        const KeyType expected = part.role == "delayed" ? KeyType::ZSet : KeyType::List;
        if (probe.type != expected)
            return std::nullopt;
        const QByteArray ready = part.role == "ready" ? probe.name : readyBeside(probe, part);
        const bool processes = probe.sibling(processingNameFor(part)) == KeyType::List;
        const bool hasReady = part.role != "ready" && probe.sibling(ready) == KeyType::List;
        const double confidence = confidenceOf(probe, part, hasReady || processes);
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

    std::vector<const Action*> actions() const override
    {
        return {&actions::requeueItems(), &actions::buryItems(), &actions::unburyItems(),
                &actions::dropItems(), &actions::pushItem(), &actions::rotateList()};
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
        for (const KeyRole* key : detailed(primitive, context)) {
            // What items weigh is asked each time, so that the next look reads no more of them
            // than fits the budget. -1 to -2 is an empty range.
            const qint64 wanted = itemsWanted(weighed(context, key->role));
            commands.push_back({QByteArrayLiteral("MEMORY"), QByteArrayLiteral("USAGE"), key->key,
                                QByteArrayLiteral("SAMPLES"), QByteArrayLiteral("5")});
            commands.push_back({QByteArrayLiteral("LRANGE"), key->key,
                                QByteArray::number(wanted > 0 ? -wanted : -1),
                                QByteArray::number(wanted > 0 ? -1 : -2)});
        }
        return commands;
    }

    Reading read(const Primitive& primitive, std::span<const Reply> replies,
                 const ReadContext& context) const override
    {
        Reading reading;
        QueueState queue;
        const std::vector<const KeyRole*> keys = listed(primitive);
        // What has no key known by its name is empty; a processing list may be anywhere.
        queue.delayed = 0;
        queue.dead = 0;
        for (size_t i = 0; i < keys.size(); ++i) {
            std::optional<qint64>& count = countFor(queue, keys[i]->role);
            count = count.value_or(0) + countOf(replies[i]);
        }
        const qint64 bytes =
            readItems(reading.state, queue, detailed(primitive, context), replies.subspan(keys.size()));
        const qint64 processing = queue.processing.value_or(0);
        if (context.depth == Depth::Detail && processing > 0) {
            queue.itemBytes = bytes / processing;
            reading.wantsLarge = !context.large && !weighed(context, "processing");
        }
        queue.itemsTruncated = qint64(queue.items.size()) < processing;
        if (queue.itemBytes.value_or(0) > largestItem)
            reading.state.facts.push_back({LayoutText::tr("Items"),
                                           LayoutText::tr("too large to be read for a preview"),
                                           Source::Stored});
        if (primitive.declaration && primitive.declaration->stuckAfterMs)
            queue.stuckAfterMs = *primitive.declaration->stuckAfterMs;
        settle(reading.state, std::move(queue));
        return reading;
    }

private:
    // Read in full, within bounds: what is worked on, and what is next.
    static std::vector<const KeyRole*> detailed(const Primitive& primitive,
                                                const ReadContext& context)
    {
        std::vector<const KeyRole*> keys = listed(primitive);
        std::erase_if(keys, [&](const KeyRole* key) {
            return context.depth != Depth::Detail ||
                   (key->role != "processing" && key->role != "ready");
        });
        return keys;
    }

    // For each key what it weighs and its items. Returns the bytes in processing.
    static qint64 readItems(State& state, QueueState& queue, const std::vector<const KeyRole*>& keys,
                            std::span<const Reply> replies)
    {
        qint64 bytes = 0;
        std::vector<quint64> next;
        for (size_t i = 0; i < keys.size(); ++i) {
            const qint64 weight = countOf(replies[2 * i]);
            const std::vector<Reply>& items = replies[2 * i + 1].items;
            if (!state.bytes || weight > *state.bytes) {
                state.bytes = weight;
                state.bytesKey = keys[i]->key;
            }
            if (keys[i]->role == "ready") {
                queue.readyItemBytes = weight / std::max<qint64>(1, queue.ready.value_or(0));
                for (const Reply& item : items)
                    next.push_back(fingerprintOf(item.text));
                continue;
            }
            bytes += weight;
            for (auto item = items.rbegin(); item != items.rend(); ++item)
                queue.items.push_back(itemOf(item->text));
        }
        if (!queue.items.empty())
            queue.duplicates = duplicatesOf(queue.items, std::move(next));
        return bytes;
    }

    // How many payloads in processing are there again, in processing or next.
    static qint64 duplicatesOf(const std::vector<QueueItem>& items, std::vector<quint64> next)
    {
        std::sort(next.begin(), next.end());
        std::vector<quint64> own;
        for (const QueueItem& item : items)
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

    // What waits may be of another weight than what is worked on.
    static std::optional<qint64> weighed(const ReadContext& context, const QByteArray& role)
    {
        const auto* queue = context.previous ? context.previous->as<QueueState>() : nullptr;
        if (!queue)
            return std::nullopt;
        return role == "ready" ? queue->readyItemBytes : queue->itemBytes;
    }

    static qint64 itemsWanted(std::optional<qint64> each)
    {
        if (!each || *each > largestItem)
            return 0;
        return std::clamp<qint64>(bytesRead / std::max<qint64>(*each, 1), 1, itemsRead);
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

    static double confidenceOf(const Probe& probe, const QueueName& part, bool companion)
    {
        if (companion)
            return part.strong || part.role == "ready" ? 0.8 : 0.7;
        if (part.role == "delayed")
            return 0;
        if (isQueueName(probe.name))
            return part.strong ? 0.6 : 0.5;
        return part.strong && part.role == "processing" ? 0.5 : 0;
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

    static void settle(State& state, QueueState queue)
    {
        const qint64 dead = queue.dead.value_or(0);
        const qint64 busy = queue.processing.value_or(0);
        const qint64 all = queue.ready.value_or(0) + busy + queue.delayed.value_or(0) + dead;
        state.present = all > 0;
        state.health = dead > 0 ? Health::Watch : all > 0 ? Health::Ok : Health::Idle;
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
