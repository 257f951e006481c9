// SPDX-License-Identifier: GPL-3.0-or-later
// Redisson's RRateLimiter. A hash contains rate, interval (ms) and type. A set of permits contains
// the client's time of each acquire. A value is the number of permits available as of the last
// acquire.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/catalogue/redisson/redissonactions.h"
#include "backend/libraries/catalogue/redisson/redissonnames.h"
#include "backend/libraries/catalogue/redisson/redissonusage.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/limiters/limiteractions.h"
#include "backend/libraries/families/limiters/limiterreading.h"

#include "backend/text/time/duration.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

constexpr size_t maxClients = 64;
constexpr qint64 shortestIntervalMs = 100;
const QByteArray permitsRole = QByteArrayLiteral("permits");
const QByteArray valueRole = QByteArrayLiteral("value");

// The keys of one pool of permits.
struct PoolKeys
{
    QByteArray client;
    QByteArray permits;
    QByteArray value;
};

// The pools of a primitive, and the index of the one that represents the limiter.
struct Pools
{
    std::vector<RedissonPool> read;
    std::vector<RedissonUsage> usages;
    size_t chosen = 0;
};

// Returns the permits set of the same pool as a value: the shared pool or a client's.
QByteArray permitsBeside(const RedissonPart& part)
{
    const QByteArray shared = redissonSuffixed(part.name, permitsRole);
    return part.client.isEmpty() ? shared : shared + ':' + part.client;
}

class RedissonRateLimiter final : public PlannedLayout, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("redisson-rate-limiter"); }
    QString title() const override { return LayoutText::tr("Redisson rate limiter"); }
    Kind kind() const override { return Kind::Limiter; }
    QByteArray mainRole() const override { return QByteArrayLiteral("config"); }
    KeyType mainType() const override { return KeyType::Hash; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::Hash || type == KeyType::ZSet || type == KeyType::String;
    }
    std::vector<QByteArray> hashFields() const override { return redissonFields(); }

    std::vector<QByteArray> nameParts(KeyType type) const override
    {
        if (type == KeyType::Hash) // the limiter itself may have any name
            return {};
        return {':' + (type == KeyType::ZSet ? permitsRole : valueRole)};
    }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        const auto part = type == KeyType::String ? redissonPart(name, valueRole) : std::nullopt;
        return part ? std::vector{part->name, permitsBeside(*part)} : std::vector<QByteArray>();
    }

    std::function<bool(const QByteArray&)> furtherKeys(const QByteArray& name) const override
    {
        return [name](const QByteArray& key) {
            for (const QByteArray& role : {valueRole, permitsRole}) {
                const auto part = redissonPart(key, role);
                if (part && part->name == name)
                    return true;
            }
            return false;
        };
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type == KeyType::Hash)
            return classifyConfig(probe);
        if (probe.type == KeyType::ZSet) {
            const bool packed =
                !probe.members.empty() &&
                std::all_of(probe.members.begin(), probe.members.end(),
                            [](const ScoredMember& m) { return packingOf(m.member); }) &&
                sharedTimeUnit(probe.members) == TimeUnit::Milliseconds;
            const auto part = redissonPart(probe.name, permitsRole);
            return packed && part ? std::optional(claimOf(*part, 0.97)) : std::nullopt;
        }
        const auto part = redissonPart(probe.name, valueRole);
        if (!part || !wholeNumber(probe.head) || probe.sibling(part->name) != KeyType::Hash)
            return std::nullopt;
        // The content of the hash is not known here. The hash's own probe claims all keys if it is
        // a rate limiter.
        const bool logged = probe.sibling(permitsBeside(*part)) == KeyType::ZSet;
        return claimOf(*part, logged ? 0.97 : 0.4);
    }

    Claim declared(const Declaration&, const QByteArray& name) const override
    {
        for (const QByteArray& role : {valueRole, permitsRole}) {
            if (const auto part = redissonPart(name, role))
                return claimOf(*part, 1.0);
        }
        return claimOf({name, {}}, 1.0);
    }

    ActionList actions() const override
    {
        return {&actions::checkLimiter(), &actions::freeRedissonPermits(),
                &actions::repairRedissonValue(), &actions::setRedissonRate(),
                &actions::clearLimiter()};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        using probecommands::ttl;
        const QByteArray config = primitive.key("config");
        std::vector<Command> commands{probecommands::hashFields(config, redissonFields()),
                                      ttl(config)};
        for (const PoolKeys& pool : poolKeys(primitive)) {
            for (Command& command : poolReads(pool.permits, pool.value, context.large))
                commands.push_back(std::move(command));
        }
        return commands;
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override;

private:
    Claim claimOf(const RedissonPart& part, double confidence) const
    {
        Claim claim{{id(), part.name},
                    {{mainRole(), part.name},
                     {valueRole, redissonSuffixed(part.name, valueRole)},
                     {permitsRole, redissonSuffixed(part.name, permitsRole)}},
                    confidence};
        if (!part.client.isEmpty()) {
            for (const QByteArray& role : {valueRole, permitsRole})
                claim.keys.push_back({role + ':' + part.client,
                                      redissonSuffixed(part.name, role) + ':' + part.client});
        }
        return claim;
    }

    std::optional<Claim> classifyConfig(const Probe& probe) const
    {
        qint64 known = 0;
        for (const char* field : {"rate", "interval", "type", "keepAliveTime"}) {
            const QByteArray* value = probe.field(field);
            if (value && !wholeNumber(*value))
                return std::nullopt;
            known += value != nullptr;
        }
        const bool complete = probe.field("rate") && probe.field("interval") && probe.field("type");
        if (!complete || probe.length != known)
            return std::nullopt;
        // A loan also has a rate, an interval and a type, but its interval is not in milliseconds.
        const qint64 type = *wholeNumber(*probe.field("type"));
        if (*wholeNumber(*probe.field("rate")) < 1 ||
            *wholeNumber(*probe.field("interval")) < shortestIntervalMs || (type != 0 && type != 1))
            return std::nullopt;
        return claimOf({probe.name, {}}, 0.97);
    }

    // Returns the shared pool first, then one for each known client.
    static std::vector<PoolKeys> poolKeys(const Primitive& primitive)
    {
        std::vector<PoolKeys> all{{{}, primitive.key("permits"), primitive.key("value")}};
        for (const KeyRole& key : primitive.keys) {
            if (!key.role.startsWith(permitsRole + ':') || all.size() > maxClients)
                continue;
            const QByteArray client = key.role.text().mid(permitsRole.size() + 1);
            all.push_back({client, key.key, primitive.key((valueRole + ':' + client).constData())});
        }
        return all;
    }

    static Pools readPools(size_t count, std::span<const Reply> replies,
                           const RedissonSettings& settings, const ReadContext& context);
    static LimiterState limiterOf(const RedissonSettings& settings, const RedissonUsage& usage);
    static void findDrift(LimiterState& limiter, const std::vector<PoolKeys>& keys,
                          const Pools& pools, const RedissonSettings& settings);
    static void addConsumers(LimiterState& limiter, const std::vector<PoolKeys>& keys,
                             const Pools& pools);
    static void addFacts(State& state, const RedissonSettings& settings, const RedissonPool& pool,
                         const RedissonUsage& usage);
};

void RedissonRateLimiter::addFacts(State& state, const RedissonSettings& settings,
                                   const RedissonPool& shared, const RedissonUsage& usage)
{
    const auto add = [&](const QString& label, const QString& value) {
        state.facts.push_back({label, value, Source::Stored});
    };
    add(LayoutText::tr("Shared by"), settings.perClient ? LayoutText::tr("each client separately")
                                                        : LayoutText::tr("all clients"));
    if (settings.keepAliveMs)
        add(LayoutText::tr("Keys kept for"), *settings.keepAliveMs > 0
                                                 ? formatDuration(*settings.keepAliveMs)
                                                 : LayoutText::tr("no TTL"));
    if (shared.packing)
        add(LayoutText::tr("Written by"), LayoutText::tr("Redisson %1 (packed %2)")
                                              .arg(QString::fromLatin1(shared.packing->versions),
                                                   QString::fromLatin1(shared.packing->format)));
    if (!shared.value)
        return;
    const QString stored = QLocale().toString(*shared.value);
    const bool differs = settings.rate && usage.used && !usage.upperBound &&
                         *shared.value != std::max<qint64>(0, *settings.rate - *usage.used);
    add(LayoutText::tr("Available (stored)"),
        differs ? LayoutText::tr("%1; %2 by the permits")
                      .arg(stored,
                           QLocale().toString(std::max<qint64>(0, *settings.rate - *usage.used)))
                : stored);
}

void RedissonRateLimiter::addConsumers(LimiterState& limiter, const std::vector<PoolKeys>& keys,
                                       const Pools& pools)
{
    for (size_t i = 1; i < keys.size(); ++i) {
        const RedissonUsage& u = pools.usages[i];
        limiter.consumers.push_back(
            {keys[i].client, keys[i].permits, limiter.limit, u.used.value_or(0), u.nextFreeMs});
    }
    limiter.consumersTotal = qint64(limiter.consumers.size());
    std::stable_sort(
        limiter.consumers.begin(), limiter.consumers.end(),
        [](const Consumer& a, const Consumer& b) { return a.occupancy > b.occupancy; });
}

Pools RedissonRateLimiter::readPools(size_t count, std::span<const Reply> replies,
                                     const RedissonSettings& settings, const ReadContext& context)
{
    Pools pools;
    for (size_t i = 0; i < count; ++i) {
        pools.read.push_back(poolOf(
            replies.subspan(i * RedissonPool::replies, RedissonPool::replies), context.large));
        pools.usages.push_back(usageOf(pools.read[i], settings, context.nowMs));
    }
    // The client with the highest usage represents a limiter per client.
    for (size_t i = 1; settings.perClient && i < count; ++i) {
        if (pools.chosen == 0 ||
            pools.usages[i].used.value_or(-1) > pools.usages[pools.chosen].used.value_or(-1))
            pools.chosen = i;
    }
    return pools;
}

// Finds the largest drift. With a pool per client, this is the client that lacks the most permits,
// or else the one with the largest surplus.
void RedissonRateLimiter::findDrift(LimiterState& limiter, const std::vector<PoolKeys>& keys,
                                    const Pools& pools, const RedissonSettings& settings)
{
    for (size_t i = 0; i < keys.size(); ++i) {
        if (settings.perClient != (i > 0))
            continue;
        const auto drift = driftOf(pools.read[i], settings);
        const qint64 worst = limiter.permitDrift.value_or(0);
        const bool worse = drift && (*drift < 0 ? *drift < worst : worst >= 0 && *drift > worst);
        if (limiter.permitDrift && !worse)
            continue;
        if (drift)
            limiter.driftKey = keys[i].value;
        limiter.permitDrift = drift;
    }
}

LimiterState RedissonRateLimiter::limiterOf(const RedissonSettings& settings,
                                            const RedissonUsage& usage)
{
    LimiterState limiter;
    limiter.algorithm = Algorithm::PermitLog;
    limiter.limit = settings.rate;
    limiter.windowMs = settings.intervalMs;
    limiter.limitSource = settings.rate ? Source::Stored : Source::Unknown;
    limiter.windowSource = settings.intervalMs ? Source::Stored : Source::Unknown;
    limiter.occupancy = usage.used;
    limiter.occupancyIsUpperBound = usage.upperBound;
    limiter.nextFreeMs = usage.nextFreeMs;
    const size_t most = size_t(MarksQuery::detailMarks);
    const size_t skipped = usage.accepted.size() > most ? usage.accepted.size() - most : 0;
    limiter.accepted.assign(usage.accepted.begin() + qsizetype(skipped), usage.accepted.end());
    limiter.acceptedTruncated = skipped > 0 || (usage.upperBound && usage.accepted.empty());
    return limiter;
}

DecodeResult RedissonRateLimiter::read(const Primitive& primitive, std::span<const Reply> replies,
                                       const ReadContext& context) const
{
    const RedissonSettings settings = redissonSettings(replies[0]);
    const Ttl ttl = ttlOf(replies[1]);
    const std::vector<PoolKeys> keys = poolKeys(primitive);
    const Pools pools = readPools(keys.size(), replies.subspan(2), settings, context);
    const RedissonPool& pool = pools.read[pools.chosen];
    const RedissonUsage& usage = pools.usages[pools.chosen];

    DecodeResult reading;
    State& state = reading.state;
    state.ttlMs = ttl.ms;
    state.present = ttl.exists;
    bool unknown = false;
    for (const RedissonPool& p : pools.read) {
        state.present |= p.exists;
        reading.wantsLarge |= p.cut;
        unknown |= p.unknown;
    }
    state.revisitAtMs = usage.revisitAtMs;
    LimiterState limiter = limiterOf(settings, usage);
    if (!pool.marks.empty())
        limiter.newestMs = wholeMs(pool.marks.back().ms);
    findDrift(limiter, keys, pools, settings);
    if (settings.perClient)
        addConsumers(limiter, keys, pools);
    state.body = std::move(limiter);
    if (context.depth == Depth::Detail)
        addFacts(state, settings, pool, usage);
    // If the log has no permits to credit and none are available, every acquire fails in the
    // script.
    const bool logEmpty = pool.marks.empty() && !pool.valueTtl.ms;
    finalizeLimiter(state, logEmpty && pool.value && *pool.value <= 0);
    if (unknown) {
        state.problem =
            Error{ErrorCode::Undecodable, LayoutText::tr("the permits have an unknown format")};
        state.health = Health::Error;
    }
    return reading;
}

} // namespace

LK_LAYOUT(redissonRateLimiter, RedissonRateLimiter)

} // namespace lk
