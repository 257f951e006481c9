// SPDX-License-Identifier: GPL-3.0-or-later
// Ruby's redis-semaphore. Free tokens are in a list on which callers block. Taken tokens are in a
// hash with the time at which they were taken. Both together are all tokens.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/locks/lockactions.h"
#include "backend/libraries/families/locks/lockreading.h"

#include <cmath>

namespace lk {

namespace {

struct Part
{
    const char* suffix;
    const char* role;
    KeyType type;
};

constexpr Part parts[] = {
    {":EXISTS", "exists", KeyType::String},
    {":AVAILABLE", "available", KeyType::List},
    {":GRABBED", "grabbed", KeyType::Hash},
    {":VERSION", "version", KeyType::String},
};

std::optional<QByteArray> stemBehind(const QByteArray& key, KeyType type)
{
    for (const Part& part : parts) {
        if (part.type == type && key.endsWith(part.suffix))
            return key.chopped(qsizetype(qstrlen(part.suffix)));
    }
    return std::nullopt;
}

class DvSemaphore final : public PlannedLayout, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("ruby-redis-semaphore"); }
    QString title() const override { return LayoutText::tr("redis-semaphore (Ruby)"); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::String || type == KeyType::List || type == KeyType::Hash;
    }
    QByteArray mainRole() const override { return QByteArrayLiteral("exists"); }
    KeyType mainType() const override { return KeyType::String; }
    ActionList actions() const override { return {&actions::releaseToken()}; }

    // "SEMAPHORE:<name>:", or with a namespace only "<name>:". Then its siblings are the proof.
    std::vector<QByteArray> nameParts(KeyType) const override
    {
        std::vector<QByteArray> ends;
        for (const Part& part : parts)
            ends.emplace_back(part.suffix);
        return ends;
    }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        const auto stem = stemBehind(name, type);
        return stem ? std::vector<QByteArray>{*stem + ":VERSION", *stem + ":EXISTS"}
                    : std::vector<QByteArray>();
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const auto stem = stemBehind(probe.name, probe.type);
        if (!stem || (probe.type == KeyType::String && probe.head != "1"))
            return std::nullopt;
        const auto isThere = [&](const char* suffix) {
            return probe.name == *stem + suffix || probe.sibling(*stem + suffix) == KeyType::String;
        };
        if (!isThere(":VERSION") || !isThere(":EXISTS"))
            return std::nullopt;
        Claim claim{{id(), *stem}, keysOf(*stem), 0.97};
        constexpr const char* start = "SEMAPHORE:";
        if (stem->startsWith(start))
            claim.label = stem->mid(qsizetype(qstrlen(start)));
        return claim;
    }

    Claim declared(const Declaration&, const QByteArray& name) const override
    {
        const QByteArray stem = stemBehind(name, KeyType::String).value_or(name);
        return {{id(), stem}, keysOf(stem), 1};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray grabbed = primitive.key("grabbed");
        return commandsOf(
            probecommands::ttl(primitive.key("exists")),
            Command{"LLEN", primitive.key("available")}, probecommands::hashLength(grabbed),
            Command{"HSCAN", grabbed, "0", "COUNT", QByteArray::number(mostLockHolders)});
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        LockState lock;
        const Ttl ttl = ttlOf(replies[0]);
        lock.limit = countOf(replies[1]) + countOf(replies[2]);
        std::vector<LockHolder> holders;
        for (const auto& [token, since] : scannedFieldsOf(replies[3])) {
            LockHolder holder;
            holder.name = holderName(token);
            if (const auto seconds = decimalNumber(since))
                holder.sinceMs = wholeMs(toMs(*seconds, TimeUnit::Seconds));
            holders.push_back(std::move(holder));
        }
        const qint64 unread = countOf(replies[2]) - qint64(holders.size());
        lock.holdersTotal = countOf(replies[2]);
        finalizeHolders(lock, std::move(holders));
        lock.holds += std::max<qint64>(0, unread);
        finalizeLock(reading.state, std::move(lock), ttl, context.nowMs);
        return reading;
    }

private:
    static std::vector<KeyRole> keysOf(const QByteArray& stem)
    {
        std::vector<KeyRole> keys;
        for (const Part& part : parts)
            keys.push_back({part.role, stem + part.suffix});
        return keys;
    }
};

} // namespace

LK_LAYOUT(rubyRedisSemaphore, DvSemaphore)

} // namespace lk
