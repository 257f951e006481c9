// SPDX-License-Identifier: GPL-3.0-or-later
// RPOPLPUSH jobs jobs:processing, LREM when done: a list of waiting jobs and lists of jobs in
// progress. Items enter a processing list on its left, so the oldest are at its right end.
#include "backend/core/names/glob.h"
#include "backend/core/names/namewords.h"
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/lists/listedjobs.h"
#include "backend/libraries/families/lists/listqueue.h"
#include "backend/libraries/seeds/queues/queuenames.h"

#include <algorithm>
#include <array>

namespace lk {

namespace {

// An object with fields that only jobs have: the callee, the arguments, the number of attempts.
bool carriesJob(const QByteArray& element)
{
    constexpr std::array fields{"\"args\"",    "\"payload\"",  "\"class\"",   "\"task\"",
                                "\"handler\"", "\"attempts\"", "\"retries\"", "\"job\""};
    return looksLikeJson(element) && std::any_of(fields.begin(), fields.end(), [&](auto field) {
               return element.contains(field);
           });
}

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
        // Rejects most sorted sets quickly.
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
        // Workers may take jobs from a list with another name, so no action writes to a list that
        // no scan has found.
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
        // The pattern matches more than the ready lists. The other lists belong to their ready
        // lists.
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

    ActionList actions() const override { return listQueueActions(); }

    Read<std::vector<StoredJob>> readJobs(const Primitive& primitive, JobQuery query) const override
    {
        return readListJobs(primitive, std::move(query));
    }

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        return listQueueReads(primitive, context);
    }
    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        return listQueueRead(primitive, replies, context);
    }

private:
    // Redis removes an empty list, so the ready list may be missing while its items are in
    // progress.
    static QByteArray readyBeside(const Probe& probe, const QueueName& part)
    {
        for (const QByteArray& name : readyNamesFor(part)) {
            if (probe.sibling(name) == KeyType::List)
                return name;
        }
        return part.stem;
    }

    // Two lists that are named like the two ends of a queue are one queue. Otherwise the name alone
    // has to say that it is a queue, and nothing else.
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
};

} // namespace

LK_LAYOUT(reliableList, ReliableList)

} // namespace lk
