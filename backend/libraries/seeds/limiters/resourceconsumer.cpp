// SPDX-License-Identifier: GPL-3.0-or-later
// A resource that consumers share, each with its own limit. The scores of the sorted sets are whole
// seconds of the server's TIME, the members are its microseconds.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/limiters/limiteractions.h"
#include "backend/libraries/families/limiters/limiternames.h"
#include "backend/libraries/families/limiters/limiterreading.h"

#include "backend/core/names/namewords.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr size_t maxConsumers = 64; // read for a detail pane
constexpr size_t maxSearched =
    4; // consumers that a table row looks for, to say whether it is there
constexpr double longestSpanMs = 86'400'000;
constexpr auto consumerWord = "consumer:";
const QByteArray rolePrefix = QByteArrayLiteral("consumer:");

struct ConsumerName
{
    QByteArray resource;
    QByteArray consumer;
};

// "<resource>:consumer:<id>"; the recipe's own text also has "...{12}consumer:1".
std::optional<ConsumerName> consumerNameOf(const QByteArray& name)
{
    const qsizetype at = name.lastIndexOf(consumerWord);
    QByteArray resource = at > 0 ? name.left(at) : QByteArray();
    if (resource.endsWith(':'))
        resource.chop(1);
    const QByteArray consumer = at < 0 ? QByteArray() : name.mid(at + rolePrefix.size());
    if (resource.isEmpty() || consumer.isEmpty())
        return std::nullopt;
    return ConsumerName{resource, consumer};
}

bool isMicroseconds(const ScoredMember& m)
{
    const auto micros = wholeNumber(m.member);
    return micros && *micros >= 0 && *micros < 1'000'000 && m.score == std::floor(m.score) &&
           timeUnitOf(m.score) == TimeUnit::Seconds;
}

bool limitsByName(const QByteArray& name)
{
    return limiterHint(name) == LimiterHint::Strong ||
           hasWord(name, words<"resource", "consumer">) ||
           (limiterHint(name) == LimiterHint::Weak && !isEventLogName(name) &&
            !measuresOtherwise(name));
}

// One in a hundred microsecond values is below 10,000. A set with only such numbers measures
// something else.
bool hasMicroseconds(const Probe& probe)
{
    return std::any_of(probe.members.begin(), probe.members.end(),
                       [](const ScoredMember& m) { return m.member.size() >= 5; });
}

// Whether the content alone shows a limiter: a window is trimmed, so its span is short.
bool limitsByContent(const Probe& probe)
{
    return probe.members.size() >= 3 && hasMicroseconds(probe) &&
           toMs(probe.members.back().score - probe.members.front().score, TimeUnit::Seconds) <=
               longestSpanMs &&
           !hasWord(probe.name, words<"online", "seen", "active", "users", "last", "index", "by">);
}

// The script keeps the members that are later than the whole second of now minus the window.
std::optional<double> wholeSecondCutoff(std::optional<qint64> windowMs, qint64 nowMs)
{
    return cutoffOf(windowMs, nowMs - nowMs % 1000);
}

class ResourceConsumer final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("resource-consumer"); }
    QString title() const override { return LayoutText::tr("Resource with consumers"); }
    Kind kind() const override { return Kind::Limiter; }
    bool wants(KeyType type) const override { return type == KeyType::ZSet; }
    QByteArray mainRole() const override { return QByteArrayLiteral("resource"); }
    KeyType mainType() const override { return KeyType::ZSet; }
    std::vector<ConfigField> configFields() const override
    {
        return {{"window", FieldShape::WholeSeconds, &Declaration::windowMs},
                {"consumer_limit", FieldShape::Count, &Declaration::consumerLimit}};
    }

    std::function<bool(const QByteArray&)> furtherKeys(const QByteArray& name) const override
    {
        return [name](const QByteArray& key) {
            const auto consumer = consumerNameOf(key);
            return consumer && consumer->resource == name;
        };
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::ZSet || probe.members.empty() ||
            !std::all_of(probe.members.begin(), probe.members.end(), isMicroseconds) ||
            probe.members.back().score * 1000 > double(probe.nowMs) + 5000)
            return std::nullopt;
        if (limitsByName(probe.name))
            return claim(probe.name,
                         hasMicroseconds(probe) || consumerNameOf(probe.name) ? 0.9 : 0.4);
        return limitsByContent(probe) ? std::optional(claim(probe.name, 0.45)) : std::nullopt;
    }

    Claim declared(const Declaration&, const QByteArray& name) const override
    {
        return claim(name, 1.0);
    }

    ActionList actions() const override
    {
        return {&actions::checkLimiter(), &actions::freeMarks(), &actions::clearLimiter()};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        std::vector<Command> commands;
        for (const MarksQuery& query : queries(primitive, context)) {
            const std::vector<Command> more = readsOf(query);
            commands.insert(commands.end(), more.begin(), more.end());
        }
        if (!wantsConsumers(context)) {
            for (const QByteArray& key : consumerKeys(primitive, maxSearched))
                commands.push_back({QByteArrayLiteral("EXISTS"), key});
        }
        return commands;
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        const std::vector<MarksQuery> all = queries(primitive, context);
        const Marks resource = marksOf(all.front(), replies.first(readCountOf(all.front())));
        DecodeResult reading;
        reading.wantsLarge = resource.cut;
        State& state = reading.state;
        LimiterState limiter = declaredLimiter(primitive, Algorithm::SlidingLog);
        countMarks(limiter, state.revisitAtMs, resource,
                   wholeSecondCutoff(limiter.windowMs, context.nowMs), context.nowMs);
        state.present = resource.exists;
        if (!wantsConsumers(context)) {
            for (const Reply& exists : replies.subspan(readCountOf(all.front())))
                state.present |= countOf(exists) > 0;
        }
        readConsumers(primitive, all, replies, context, limiter, state.present);
        state.ttlMs = resource.ttlMs;
        state.body = std::move(limiter);
        finalizeLimiter(state);
        return reading;
    }

private:
    Claim claim(const QByteArray& name, double confidence) const
    {
        const auto consumer = consumerNameOf(name);
        if (!consumer)
            return {{id(), name}, {{mainRole(), name}}, confidence};
        return {{id(), consumer->resource},
                {{mainRole(), consumer->resource}, {rolePrefix + consumer->consumer, name}},
                confidence};
    }

    static bool isConsumer(const KeyRole& key) { return key.role.startsWith(rolePrefix); }

    static std::vector<QByteArray> consumerKeys(const Primitive& primitive, size_t most)
    {
        std::vector<QByteArray> keys;
        for (const KeyRole& key : primitive.keys) {
            if (isConsumer(key) && keys.size() < most)
                keys.push_back(key.key);
        }
        return keys;
    }

    // A consumer that was detected over its limit is read until it no longer is. That is a finding,
    // which must not depend on what is on screen.
    static bool wantsConsumers(const ReadContext& context)
    {
        const auto* before = context.previous ? context.previous->as<LimiterState>() : nullptr;
        return context.depth == Depth::Detail ||
               (before &&
                std::any_of(before->consumers.begin(), before->consumers.end(),
                            [](const Consumer& c) { return c.limit && c.occupancy > *c.limit; }));
    }

    // Reads the resource, and for a detail pane also its consumers.
    std::vector<MarksQuery> queries(const Primitive& primitive, const ReadContext& context) const
    {
        const LimiterState declared = declaredLimiter(primitive, Algorithm::SlidingLog);
        const auto cutoff = wholeSecondCutoff(declared.windowMs, context.nowMs);
        const bool detail = context.depth == Depth::Detail;
        std::vector<MarksQuery> all{
            {primitive.key("resource"), declared.limit, cutoff, context.large, detail}};
        const auto consumerLimit =
            primitive.declaration ? primitive.declaration->consumerLimit : std::nullopt;
        if (wantsConsumers(context)) {
            for (const QByteArray& key : consumerKeys(primitive, maxConsumers))
                all.push_back({key, consumerLimit, cutoff, context.large, false});
        }
        return all;
    }

    void readConsumers(const Primitive& primitive, const std::vector<MarksQuery>& all,
                       std::span<const Reply> replies, const ReadContext& context,
                       LimiterState& limiter, bool& present) const
    {
        limiter.consumersTotal =
            std::count_if(primitive.keys.begin(), primitive.keys.end(), isConsumer);
        size_t next = readCountOf(all.front());
        for (size_t i = 1; i < all.size(); ++i) {
            const size_t count = readCountOf(all[i]);
            const Marks marks = marksOf(all[i], replies.subspan(next, count));
            next += count;
            present |= marks.exists;
            limiter.consumers.push_back(consumerOf(all[i], marks, limiter.windowMs, context.nowMs));
        }
        std::stable_sort(
            limiter.consumers.begin(), limiter.consumers.end(),
            [](const Consumer& a, const Consumer& b) { return a.occupancy > b.occupancy; });
    }

    Consumer consumerOf(const MarksQuery& query, const Marks& marks, std::optional<qint64> windowMs,
                        qint64 nowMs) const
    {
        LimiterState own;
        own.limit = query.limit;
        own.windowMs = windowMs;
        qint64 revisit = 0;
        countMarks(own, revisit, marks, query.cutoffMs, nowMs);
        const auto name = consumerNameOf(query.key);
        return {name ? name->consumer : query.key, query.key, query.limit,
                own.occupancy.value_or(0), own.nextFreeMs};
    }
};

} // namespace

LK_LAYOUT(resourceConsumer, ResourceConsumer)

} // namespace lk
