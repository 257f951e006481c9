// SPDX-License-Identifier: GPL-3.0-or-later
// Laravel's Redis::funnel(). Each slot in use is a string with its owner: "<name>1", "<name>2" and
// so on. Only the program knows the number of slots. The highest slot in use is a lower bound.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/families/locks/lockactions.h"
#include "backend/libraries/families/locks/lockreading.h"
#include "backend/libraries/families/locks/ownershape.h"

#include "backend/core/names/namewords.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 mostSlots = 64;
constexpr const char* slotRole = "slot:";

struct Slot
{
    QByteArray stem;
    QByteArray number;
};

std::optional<Slot> slotOf(const QByteArray& key)
{
    qsizetype at = key.size();
    while (at > 0 && key[at - 1] >= '0' && key[at - 1] <= '9')
        --at;
    const QByteArray number = key.mid(at);
    if (number.isEmpty() || at == 0 || number[0] == '0' || number.size() > 2 ||
        number.toLongLong() > mostSlots)
        return std::nullopt;
    return Slot{key.left(at), number};
}

// Laravel's own prefixes, or words for the purpose of a funnel.
double confidenceOf(const QByteArray& name)
{
    if (name.contains("_database_") || name.contains("-database-") || name.contains("laravel"))
        return 0.85;
    return hasWord(name,
                   words<"funnel", "throttle", "concurrency", "concurrent", "limiter", "slot">)
               ? 0.7
               : 0;
}

class LaravelFunnel final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("laravel-funnel"); }
    QString title() const override { return LayoutText::tr("Laravel funnel"); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("slot:1"); }
    KeyType mainType() const override { return KeyType::String; }
    std::vector<ConfigField> configFields() const override { return limitField(); }
    ActionList actions() const override { return {&actions::releaseSlot()}; }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::String || !probe.ttlMs ||
            !mayBe(OwnerForm::Alnum20, probe.head) ||
            ownerInfoOf(probe.head, probe.nowMs).form != OwnerForm::Alnum20)
            return std::nullopt;
        const auto slot = slotOf(probe.name);
        const double confidence = slot ? confidenceOf(probe.name) : 0;
        if (confidence == 0)
            return std::nullopt;
        return Claim{{id(), slot->stem}, {{slotRole + slot->number, probe.name}}, confidence};
    }

    Claim declared(const Declaration&, const QByteArray& name) const override
    {
        const auto slot = slotOf(name);
        if (!slot)
            return {{id(), name}, {{mainRole(), name + '1'}}, 1};
        return {{id(), slot->stem}, {{slotRole + slot->number, name}}, 1};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        std::vector<Command> commands;
        for (const KeyRole& key : primitive.keys) {
            commands.push_back(probecommands::head(key.key));
            commands.push_back(probecommands::ttl(key.key));
        }
        return commands;
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        LockState lock;
        lock.limit = declaredLimit(primitive);
        std::vector<LockHolder> holders;
        Ttl last;
        qint64 highest = 0;
        for (size_t i = 0; 2 * i + 1 < replies.size() && i < primitive.keys.size(); ++i) {
            const Ttl ttl = ttlOf(replies[2 * i + 1]);
            if (!ttl.exists)
                continue;
            last.exists = true;
            if (ttl.ms)
                last.ms = std::max(last.ms.value_or(0), *ttl.ms);
            LockHolder holder;
            holder.name = holderName(replies[2 * i].text);
            holder.leaseMs = ttl.ms;
            holders.push_back(std::move(holder));
            highest = std::max(highest,
                               primitive.keys[i].role.text().mid(qstrlen(slotRole)).toLongLong());
        }
        finalizeHolders(lock, std::move(holders));
        if (highest > 0)
            reading.state.facts.push_back({LayoutText::tr("Limit"),
                                           LayoutText::tr("at least %L1").arg(highest),
                                           Source::Inferred});
        finalizeLock(reading.state, std::move(lock), last, context.nowMs);
        return reading;
    }
};

} // namespace

LK_LAYOUT(laravelFunnel, LaravelFunnel)

} // namespace lk
