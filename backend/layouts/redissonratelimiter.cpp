// SPDX-License-Identifier: GPL-3.0-or-later
// Redisson's RRateLimiter: a hash with rate, interval (ms) and type, a set of permits with the
// client's time of each acquire, and the number of permits available as of the last acquire.
#include "backend/layouts/classifier.h"
#include "backend/layouts/limiterreading.h"
#include "backend/layouts/plannedlayout.h"
#include "backend/layouts/redissonnames.h"
#include "backend/layouts/redissonpermits.h"
#include "backend/layouts/replyvalues.h"

#include "backend/core/duration.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr int maxPermitMarks = 4096; // newest read of one permits set
constexpr size_t maxClients = 64;
const QByteArray permitsRole = QByteArrayLiteral("permits");
const QByteArray valueRole = QByteArrayLiteral("value");

struct Settings
{
    std::optional<qint64> rate;
    std::optional<qint64> intervalMs;
    std::optional<qint64> keepAliveMs;
    bool perClient = false;
};

Settings settingsOf(const Reply& hash)
{
    const auto number = [&](const char* field) -> std::optional<qint64> {
        const auto text = fieldOf(hash, probedHashFields(), field);
        return text ? wholeNumber(*text) : std::nullopt;
    };
    Settings s{number("rate"), number("interval"), number("keepAliveTime"), false};
    s.perClient = number("type") == 1;
    return s;
}

// One permits set with its value: of the limiter, or of one client.
struct Pool
{
    QByteArray client;
    QByteArray permitsKey;
    QByteArray valueKey;
};
constexpr size_t repliesPerPool = 3;

struct PermitMark
{
    double ms;
    qint64 permits;
};

struct PoolReading
{
    bool exists = false;
    bool cut = false;     ///< there are older marks than were read
    bool unknown = false; ///< a member of no known packing
    const PermitPacking* packing = nullptr;
    std::vector<PermitMark> marks; ///< oldest first
    std::optional<qint64> value;
    Ttl valueTtl;
};

PoolReading poolOf(std::span<const Reply> replies, bool large)
{
    PoolReading pool;
    std::vector<ScoredMember> members = scoredMembersOf(replies[0]);
    pool.cut = int(members.size()) >= (large ? maxPermitMarks : Probe::memberLimit);
    std::stable_sort(
        members.begin(), members.end(),
        [](const ScoredMember& a, const ScoredMember& b) { return a.score < b.score; });
    for (const ScoredMember& m : members) {
        const auto permits = permitsOf(m.member);
        pool.unknown |= !permits;
        pool.packing = packingOf(m.member);
        pool.marks.push_back({m.score, permits ? qint64(*permits) : 0});
    }
    pool.value = integerOf(replies[1]);
    pool.valueTtl = ttlOf(replies[2]);
    pool.exists = !members.empty() || pool.valueTtl.exists;
    return pool;
}

// The numbers of one pool. Before 3.13.3 there were no marks, only a value with a TTL.
struct Usage
{
    std::optional<qint64> used;
    bool upperBound = false;
    std::optional<qint64> nextFreeMs;
    qint64 revisitAtMs = 0;
    std::vector<qint64> accepted;
};

Usage usageFromValue(const PoolReading& pool, const Settings& settings, qint64 nowMs)
{
    Usage u;
    if (!settings.rate || !pool.value)
        return u;
    const bool legacy = pool.marks.empty();
    u.used = std::max<qint64>(0, *settings.rate - *pool.value);
    // Expired permits are credited only at the next acquire, so the value may lag behind.
    u.upperBound = !legacy;
    if (*u.used < *settings.rate)
        u.nextFreeMs = 0;
    else if (legacy)
        u.nextFreeMs = pool.valueTtl.ms;
    if (legacy && pool.valueTtl.ms)
        u.revisitAtMs = nowMs + *pool.valueTtl.ms + 1;
    return u;
}

Usage usageOf(const PoolReading& pool, const Settings& settings, qint64 nowMs)
{
    if (pool.unknown)
        return {};
    if (pool.marks.empty() && pool.valueTtl.ms)
        return usageFromValue(pool, settings, nowMs);
    const auto cutoff = cutoffOf(settings.intervalMs, nowMs);
    const auto first = std::find_if(pool.marks.begin(), pool.marks.end(),
                                    [&](const PermitMark& m) { return !cutoff || m.ms > *cutoff; });
    if (pool.cut && first == pool.marks.begin())
        return usageFromValue(pool, settings, nowMs);
    Usage u;
    u.used = 0;
    u.upperBound = !cutoff && !pool.marks.empty();
    for (auto it = first; it != pool.marks.end(); ++it) {
        *u.used += it->permits;
        u.accepted.push_back(wholeMs(it->ms));
    }
    if (!cutoff)
        return u;
    const auto leavesIn = [&](const PermitMark& m) {
        const double at = std::ceil(m.ms + double(*settings.intervalMs));
        return std::max<qint64>(0, wholeMs(at) - nowMs);
    };
    if (first != pool.marks.end())
        u.revisitAtMs = nowMs + std::max<qint64>(1, leavesIn(*first));
    if (!settings.rate)
        return u;
    u.nextFreeMs = 0;
    qint64 left = *u.used;
    for (auto it = first; it != pool.marks.end() && left >= *settings.rate; ++it) {
        left -= it->permits;
        u.nextFreeMs = leavesIn(*it);
    }
    return u;
}

class RedissonRateLimiter final : public PlannedLayout
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
    std::vector<QByteArray> hashFields() const override
    {
        return {"rate", "interval", "type", "keepAliveTime"};
    }

    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        const auto part = type == KeyType::String ? redissonPart(name, valueRole) : std::nullopt;
        return part ? std::vector{part->name} : std::vector<QByteArray>();
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
        return claimOf(*part, 0.97);
    }

    Claim declared(const Declaration&, const QByteArray& name) const override
    {
        for (const QByteArray& role : {valueRole, permitsRole}) {
            if (const auto part = redissonPart(name, role))
                return claimOf(*part, 1.0);
        }
        return claimOf({name, {}}, 1.0);
    }

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        using probecommands::ttl;
        const QByteArray config = primitive.key("config");
        std::vector<Command> commands{probecommands::hashFields(config, probedHashFields()),
                                      ttl(config)};
        for (const Pool& pool : pools(primitive)) {
            if (context.large)
                commands.push_back({QByteArrayLiteral("ZREVRANGE"), pool.permitsKey,
                                    QByteArrayLiteral("0"), QByteArray::number(maxPermitMarks - 1),
                                    QByteArrayLiteral("WITHSCORES")});
            else
                commands.push_back(probecommands::lowestMembers(pool.permitsKey));
            commands.push_back(probecommands::head(pool.valueKey));
            commands.push_back(ttl(pool.valueKey));
        }
        return commands;
    }

    Reading read(const Primitive& primitive, std::span<const Reply> replies,
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
        return claimOf({probe.name, {}}, 0.97);
    }

    // The shared pool first, then one for each client that is known.
    static std::vector<Pool> pools(const Primitive& primitive)
    {
        std::vector<Pool> all{{{}, primitive.key("permits"), primitive.key("value")}};
        for (const KeyRole& key : primitive.keys) {
            if (!key.role.startsWith(permitsRole + ':') || all.size() > maxClients)
                continue;
            const QByteArray client = key.role.mid(permitsRole.size() + 1);
            all.push_back({client, key.key, primitive.key((valueRole + ':' + client).constData())});
        }
        return all;
    }

    static void addFacts(State& state, const Settings& settings, const PoolReading& shared,
                         const Usage& usage);
    static void addConsumers(LimiterState& limiter, const std::vector<Pool>& pools,
                             const std::vector<Usage>& usages);
};

void RedissonRateLimiter::addFacts(State& state, const Settings& settings,
                                   const PoolReading& shared, const Usage& usage)
{
    const auto add = [&](const QString& label, const QString& value) {
        state.facts.push_back({label, value, Source::Stored});
    };
    add(LayoutText::tr("Shared by"), settings.perClient ? LayoutText::tr("each client on its own")
                                                        : LayoutText::tr("all clients"));
    if (settings.keepAliveMs)
        add(LayoutText::tr("Keys kept alive"), *settings.keepAliveMs > 0
                                                   ? formatDuration(*settings.keepAliveMs)
                                                   : LayoutText::tr("for ever"));
    if (shared.packing)
        add(LayoutText::tr("Written by"), LayoutText::tr("Redisson %1 (packed %2)")
                                              .arg(QString::fromLatin1(shared.packing->versions),
                                                   QString::fromLatin1(shared.packing->format)));
    if (!shared.value)
        return;
    const QString stored = QLocale().toString(*shared.value);
    const bool differs = settings.rate && usage.used && !usage.upperBound &&
                         *shared.value != std::max<qint64>(0, *settings.rate - *usage.used);
    add(LayoutText::tr("Available as stored"),
        differs ? LayoutText::tr("%1, while the permits say %2")
                      .arg(stored,
                           QLocale().toString(std::max<qint64>(0, *settings.rate - *usage.used)))
                : stored);
}

void RedissonRateLimiter::addConsumers(LimiterState& limiter, const std::vector<Pool>& pools,
                                       const std::vector<Usage>& usages)
{
    for (size_t i = 1; i < pools.size(); ++i) {
        const Usage& u = usages[i];
        limiter.consumers.push_back({pools[i].client, pools[i].permitsKey, limiter.limit,
                                     u.used.value_or(0), u.nextFreeMs});
    }
    limiter.consumersTotal = qint64(limiter.consumers.size());
    std::stable_sort(
        limiter.consumers.begin(), limiter.consumers.end(),
        [](const Consumer& a, const Consumer& b) { return a.occupancy > b.occupancy; });
}

Reading RedissonRateLimiter::read(const Primitive& primitive, std::span<const Reply> replies,
                                  const ReadContext& context) const
{
    const Settings settings = settingsOf(replies[0]);
    const Ttl ttl = ttlOf(replies[1]);
    const std::vector<Pool> all = pools(primitive);
    Reading reading;
    State& state = reading.state;
    state.ttlMs = ttl.ms;
    state.present = ttl.exists;

    std::vector<PoolReading> read;
    std::vector<Usage> usages;
    bool unknown = false;
    for (size_t i = 0; i < all.size(); ++i) {
        read.push_back(
            poolOf(replies.subspan(2 + i * repliesPerPool, repliesPerPool), context.large));
        usages.push_back(usageOf(read[i], settings, context.nowMs));
        state.present |= read[i].exists;
        reading.wantsLarge |= read[i].cut;
        unknown |= read[i].unknown;
    }

    LimiterState limiter;
    limiter.algorithm = Algorithm::PermitLog;
    limiter.limit = settings.rate;
    limiter.windowMs = settings.intervalMs;
    limiter.limitSource = settings.rate ? Source::Stored : Source::Unknown;
    limiter.windowSource = settings.intervalMs ? Source::Stored : Source::Unknown;
    // What stands for a limiter per client is its fullest client.
    size_t chosen = 0;
    for (size_t i = 1; settings.perClient && i < usages.size(); ++i) {
        if (chosen == 0 || usages[i].used.value_or(-1) > usages[chosen].used.value_or(-1))
            chosen = i;
    }
    Usage& usage = usages[chosen];
    limiter.occupancy = usage.used;
    limiter.occupancyIsUpperBound = usage.upperBound;
    limiter.nextFreeMs = usage.nextFreeMs;
    limiter.acceptedTruncated = usage.upperBound && read[chosen].cut;
    if (usage.accepted.size() > size_t(MarksQuery::detailMarks)) {
        usage.accepted.erase(usage.accepted.begin(),
                             usage.accepted.end() - MarksQuery::detailMarks);
        limiter.acceptedTruncated = true;
    }
    limiter.accepted = std::move(usage.accepted);
    if (settings.perClient)
        addConsumers(limiter, all, usages);
    state.revisitAtMs = usage.revisitAtMs;
    if (context.depth == Depth::Detail)
        addFacts(state, settings, read[chosen], usages[chosen]);
    if (unknown)
        state.problem = Error{ErrorCode::Undecodable,
                              LayoutText::tr("the permits are packed in a way that is not known")};
    const bool noMarks = read[chosen].marks.empty() && !read[chosen].valueTtl.ms;
    const bool neverFrees = noMarks && read[chosen].value && *read[chosen].value <= 0;
    state.body = std::move(limiter);
    settleLimiter(state, neverFrees);
    if (unknown)
        state.health = Health::Bad;
    return reading;
}

} // namespace

namespace layouts {
const Layout& redissonRateLimiter()
{
    static const RedissonRateLimiter layout;
    return layout;
}
} // namespace layouts

} // namespace lk
