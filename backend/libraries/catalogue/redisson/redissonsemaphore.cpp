// SPDX-License-Identifier: GPL-3.0-or-later
// Redisson's RSemaphore and RPermitExpirableSemaphore. Both store the number of available permits
// in a string. The second also has a sorted set of the permits in use with the ends of their
// leases. The first is a bare number: only a declaration distinguishes it from other numbers.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/catalogue/redisson/redissonactions.h"
#include "backend/libraries/catalogue/redisson/redissonnames.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/families/locks/lockreading.h"

#include <algorithm>

namespace lk {

namespace {

constexpr double neverMs = 922337203685477; // the score of a permit without a lease
constexpr qsizetype permitBytes = 16;

// Expirable permits. Their ids are 16 random bytes, which the library shows in hex.
class ExpirablePermits final : public PlannedLayout, public KeyHints
{
public:
    QByteArray id() const override { return QByteArrayLiteral("redisson-permit-semaphore"); }
    QString title() const override { return LayoutText::tr("Redisson expirable semaphore"); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::ZSet || type == KeyType::String;
    }
    QByteArray mainRole() const override { return QByteArrayLiteral("available"); }
    KeyType mainType() const override { return KeyType::String; }
    ActionList actions() const override { return {&actions::releaseRedissonPermit()}; }

    std::vector<QByteArray> nameParts(KeyType) const override { return {":timeout"}; }
    std::optional<Claim> classify(const Probe& probe) const override
    {
        const auto part =
            probe.type == KeyType::ZSet ? redissonPart(probe.name, "timeout") : std::nullopt;
        if (!part || !part->client.isEmpty() || probe.members.empty())
            return std::nullopt;
        const bool permits =
            std::all_of(probe.members.begin(), probe.members.end(), [](const ScoredMember& m) {
                return m.member.size() == permitBytes &&
                       (m.score == neverMs || timeUnitOf(m.score) == TimeUnit::Milliseconds);
            });
        if (!permits)
            return std::nullopt;
        return Claim{{id(), part->name}, keysOf(part->name), 0.95};
    }

    Claim declared(const Declaration&, const QByteArray& name) const override
    {
        return {{id(), name}, keysOf(name), 1};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray available = primitive.key("available");
        const QByteArray permits = primitive.key("permits");
        return commandsOf(
            probecommands::head(available), probecommands::ttl(available),
            Command{"ZCARD", permits},
            Command{"ZRANGE", permits, "0", QByteArray::number(mostLockHolders - 1), "WITHSCORES"});
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        LockState lock;
        const Ttl ttl = ttlOf(replies[1]);
        const qint64 taken = countOf(replies[2]);
        const auto available = integerOf(replies[0]);
        // The key may be missing if it was set to expire. Then the limit is unknown.
        lock.limit = available ? std::optional(*available + taken) : std::nullopt;
        std::vector<LockHolder> holders;
        for (const ScoredMember& permit : scoredMembersOf(replies[3])) {
            LockHolder holder;
            holder.name = permit.member.toHex();
            if (permit.score != neverMs)
                holder.leaseMs = std::max<qint64>(0, wholeMs(permit.score) - context.nowMs);
            holders.push_back(std::move(holder));
        }
        const qint64 unread = taken - qint64(holders.size());
        lock.holdersTotal = taken;
        finalizeHolders(lock, std::move(holders));
        lock.holds += std::max<qint64>(0, unread);
        finalizeLock(reading.state, std::move(lock), {ttl.exists || taken > 0, ttl.ms},
                     context.nowMs);
        return reading;
    }

private:
    static std::vector<KeyRole> keysOf(const QByteArray& name)
    {
        return {{QByteArrayLiteral("available"), name},
                {QByteArrayLiteral("permits"), redissonSuffixed(name, "timeout")}};
    }
};

// The total is not stored. The number in use is known only with a declared limit.
class BarePermits final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("redisson-semaphore"); }
    QString title() const override { return LayoutText::tr("Redisson semaphore"); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("available"); }
    KeyType mainType() const override { return KeyType::String; }
    ActionList actions() const override { return {&actions::releaseRedissonCount()}; }
    std::optional<Claim> classify(const Probe&) const override { return std::nullopt; }
    std::vector<ConfigField> configFields() const override { return limitField(); }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray key = primitive.key("available");
        return commandsOf(probecommands::head(key), probecommands::ttl(key));
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        LockState lock;
        const Ttl ttl = ttlOf(replies[1]);
        const auto available = integerOf(replies[0]);
        lock.limit = declaredLimit(primitive);
        if (available && lock.limit)
            lock.holds = std::max<qint64>(0, *lock.limit - *available);
        if (available)
            state.facts.push_back(
                {LayoutText::tr("Available permits"), QString::number(*available), Source::Stored});
        if (ttl.exists && !available)
            state.problem =
                Error{ErrorCode::Undecodable, LayoutText::tr("the value is not a number")};
        const bool used = lock.holds > 0 || (available && *available <= 0);
        lock.phase = used ? LockState::Phase::Held : LockState::Phase::Free;
        const qint64 holds = lock.holds;
        finalizeLock(state, std::move(lock), ttl, context.nowMs);
        state.body.get<LockState>().holds = holds;
        return reading;
    }
};

} // namespace

LK_LAYOUT(redissonPermitSemaphore, ExpirablePermits)
LK_LAYOUT(redissonSemaphore, BarePermits)

} // namespace lk
