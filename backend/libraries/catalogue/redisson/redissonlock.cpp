// SPDX-License-Identifier: GPL-3.0-or-later
// Redisson's RLock, RSpinLock, RFencedLock, RFairLock and RReadWriteLock. A hash contains the
// holders and their numbers of holds. Its TTL is the lease, which the client's watchdog renews. A
// fair lock has a list of waiters, a read-write lock has a field with its mode, and a fenced lock
// counts its owners in a string.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/catalogue/redisson/redissonactions.h"
#include "backend/libraries/catalogue/redisson/redissonlockkeys.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/wordlists.h"
#include "backend/libraries/families/locks/locknames.h"
#include "backend/libraries/families/locks/lockreading.h"
#include "backend/libraries/families/locks/ownershape.h"

#include "backend/core/names/keyname.h"
#include "backend/core/names/namewords.h"

#include <algorithm>

namespace lk {

namespace {

const QByteArray queuePrefix = QByteArrayLiteral("redisson_lock_queue");
const QByteArray timeoutPrefix = QByteArrayLiteral("redisson_lock_timeout");
const QByteArray tokenPrefix = QByteArrayLiteral("redisson_lock_token");
constexpr double certain = 0.97;

// A companion key may be found before or without its lock. Its name contains the lock's name.
std::vector<KeyRole> keysOf(const QByteArray& name, const char* role, const QByteArray& key)
{
    return {{QByteArrayLiteral("lock"), name, true}, {role, key}};
}

bool areHolders(const std::vector<QByteArray>& fields)
{
    return !fields.empty() && std::all_of(fields.begin(), fields.end(), [](const QByteArray& f) {
        return f == "mode" || isRedissonHolder(f);
    }) && fields != std::vector<QByteArray>{"mode"};
}

class RedissonLock final : public Layout, public KeyHints
{
public:
    QByteArray id() const override { return QByteArrayLiteral("redisson-lock"); }
    QString title() const override { return LayoutText::tr("Redisson lock"); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::Hash || type == KeyType::List || type == KeyType::ZSet ||
               type == KeyType::String;
    }
    QByteArray mainRole() const override { return QByteArrayLiteral("lock"); }
    KeyType mainType() const override { return KeyType::Hash; }
    ActionList actions() const override { return {&actions::releaseRedissonLock()}; }

    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const auto lock = redissonLockOf(name);
        return lock ? std::vector<QByteArray>{*lock} : std::vector<QByteArray>();
    }

    std::vector<QByteArray> nameParts(KeyType type) const override
    {
        if (type == KeyType::List)
            return {queuePrefix};
        if (type == KeyType::ZSet)
            return {timeoutPrefix};
        return {};
    }
    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type == KeyType::Hash) {
            if (!areHolders(probe.fieldNames))
                return std::nullopt;
            Claim claim{{id(), probe.name}, {{mainRole(), probe.name}}, certain};
            // Only a read-write lock has several holders, and it has a mode. Other hashes have
            // fields of the same form for users and their positions.
            const bool hasMode = std::find(probe.fieldNames.begin(), probe.fieldNames.end(),
                                           QByteArray("mode")) != probe.fieldNames.end();
            const bool places = hasWord(probe.name, wordsIn<"not-redisson-locks">());
            if (!hasMode && (probe.length > 1 || places)) {
                claim.confidence = 0.3;
                claim.doubt = Doubt::OtherWords;
            }
            return claim;
        }
        const auto companion = companionOf(probe);
        if (!companion)
            return std::nullopt;
        const auto& [name, role] = *companion;
        if (role.isEmpty())
            return Claim{{id(), name}, {{mainRole(), name, true}}, certain};
        return Claim{{id(), name}, keysOf(name, role.constData(), probe.name), certain};
    }

    Read<DecodeResult> readState(const Primitive& primitive,
                                 const ReadContext& context) const override
    {
        const std::vector<Reply> replies = co_await ask(firstReads(primitive));
        std::vector<LockHolder> holders;
        DecodeResult reading;
        State& state = reading.state;
        LockState lock;
        const Ttl ttl = ttlOf(replies[0]);
        const bool readWrite = hasMode(replies[2]);
        std::vector<Command> leases;
        for (const auto& [field, value] : scannedFieldsOf(replies[2])) {
            if (field == "mode") {
                lock.shared = value == "read";
                if (lock.shared)
                    lock.limit = std::nullopt;
                continue;
            }
            LockHolder holder;
            holder.name = holderName(field);
            holder.holds = wholeNumber(value).value_or(1);
            holder.leaseMs = ttl.ms;
            holder.label = ownerLabel(ownerInfoOf(field, context.nowMs));
            holder.shared = readWrite && isReader(field);
            // Each hold of a reader has a key whose TTL is its lease. The last hold's lease is the
            // reader's.
            if (holder.shared && leases.size() < size_t(mostLockHolders))
                leases.push_back(probecommands::ttl(
                    redissonReadTimeout(primitive.key("lock"), field, holder.holds)));
            holders.push_back(std::move(holder));
        }
        const std::vector<Reply> ends = co_await ask(std::move(leases));
        size_t end = 0;
        for (LockHolder& holder : holders) {
            if (holder.shared && end < ends.size())
                holder.leaseMs = leaseOf(ttlOf(ends[end++]), ttl);
        }
        lock.holdersTotal = countOf(replies[1]) - (readWrite ? 1 : 0);
        finalizeHolders(lock, std::move(holders));
        if (ttl.exists && !ttl.ms)
            lock.phase = LockState::Phase::NoTtl;
        size_t next = 3;
        if (!primitive.key("queue").isEmpty()) {
            readWaiters(lock, std::span(replies).subspan(next, 3), context.nowMs);
            next += 3;
        }
        if (lock.ownerKnown)
            addOwnerFacts(state, ownerInfoOf(lock.owner, context.nowMs));
        if (!primitive.key("token").isEmpty() && replies[next].isText())
            state.facts.push_back({LayoutText::tr("Fencing token"),
                                   displayPreview(replies[next].text, 24), Source::Stored});
        const std::vector<LockWaiter> waiting = lock.waiting;
        const std::optional<qint64> waiters = lock.waiters;
        finalizeLock(state, std::move(lock), ttl, context.nowMs);
        // Clients may wait even while the lock is free.
        auto& finalized = state.body.get<LockState>();
        finalized.waiting = waiting;
        finalized.waiters = waiters;
        co_return reading;
    }

private:
    static std::vector<Command> firstReads(const Primitive& primitive)
    {
        const QByteArray key = primitive.key("lock");
        const QByteArray most = QByteArray::number(mostLockHolders);
        const QByteArray last = QByteArray::number(mostLockHolders - 1);
        std::vector<Command> commands{probecommands::ttl(key),
                                      probecommands::hashLength(key),
                                      {"HSCAN", key, "0", "COUNT", most}};
        if (const QByteArray queue = primitive.key("queue"); !queue.isEmpty()) {
            commands.push_back({"LLEN", queue});
            commands.push_back({"LRANGE", queue, "0", last});
            commands.push_back({"ZRANGE", redissonPrefixed(timeoutPrefix, primitive.id.name), "0",
                                last, "WITHSCORES"});
        }
        if (const QByteArray token = primitive.key("token"); !token.isEmpty())
            commands.push_back(probecommands::head(token));
        return commands;
    }

    static bool isReader(const QByteArray& field)
    {
        return isRedissonHolder(field) && !isRedissonWriter(field);
    }

    // A hold whose own key has expired still blocks writers until the lock ends.
    static std::optional<qint64> leaseOf(const Ttl& ofHold, const Ttl& ofLock)
    {
        return ofHold.ms ? ofHold.ms : ofLock.ms;
    }

    static bool hasMode(const Reply& scanned)
    {
        const auto fields = scannedFieldsOf(scanned);
        return std::any_of(fields.begin(), fields.end(),
                           [](const auto& field) { return field.first == "mode"; });
    }

    // Returns the lock that a companion key belongs to, and the key's role. A key without a role is
    // only counted.
    static std::optional<std::pair<QByteArray, QByteArray>> companionOf(const Probe& probe)
    {
        using Companion = std::pair<QByteArray, QByteArray>;
        if (probe.type == KeyType::List) {
            const auto name = redissonUnprefixed(probe.name, queuePrefix);
            return name && isRedissonHolder(probe.first) ? std::optional(Companion(*name, "queue"))
                                                         : std::nullopt;
        }
        if (probe.type == KeyType::ZSet) {
            const auto name = redissonUnprefixed(probe.name, timeoutPrefix);
            const bool ofHolders =
                !probe.members.empty() && isRedissonHolder(probe.members.front().member);
            return name && ofHolders ? std::optional(Companion(*name, "timeouts")) : std::nullopt;
        }
        if (probe.type != KeyType::String || !wholeNumber(probe.head))
            return std::nullopt;
        if (const auto name = redissonUnprefixed(probe.name, tokenPrefix))
            return Companion(*name, "token");
        if (const auto name = redissonLockOf(probe.name))
            return Companion(*name, QByteArray());
        return std::nullopt;
    }

    static void readWaiters(LockState& lock, std::span<const Reply> replies, qint64 nowMs)
    {
        lock.waiters = countOf(replies[0]);
        const std::vector<ScoredMember> deadlines = scoredMembersOf(replies[2]);
        for (const Reply& item : replies[1].items) {
            LockWaiter waiter{holderName(item.text), std::nullopt};
            for (const ScoredMember& deadline : deadlines) {
                if (deadline.member == item.text)
                    waiter.leftMs = std::max<qint64>(0, wholeMs(deadline.score) - nowMs);
            }
            lock.waiting.push_back(std::move(waiter));
        }
    }
};

} // namespace

LK_LAYOUT(redissonLock, RedissonLock)

} // namespace lk
