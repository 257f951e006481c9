// SPDX-License-Identifier: GPL-3.0-or-later
// A counter that each call increments. It ends with its TTL, which the first call sets.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/namehints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/detect/wordlists.h"
#include "backend/libraries/families/limiters/limiteractions.h"
#include "backend/libraries/families/limiters/limiternames.h"
#include "backend/libraries/families/limiters/limiterreading.h"

#include "backend/core/names/namewords.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 longestFixedWindowMs = 32LL * 24 * 3600 * 1000;
constexpr qint64 largestCount = 1'000'000'000; // a larger number is a time, not a count

// Numbers of a limiter other than its count, and other data whose names use a limiter's words.
bool fixedWindowNamedOtherwise(const QByteArray& name)
{
    return name.endsWith(":value") || name.contains("}:value:") ||
           hasWord(name, words<"timer", "tokens", "timestamp", "lock", "mutex", "gate", "cooldown",
                               "debounce">);
}

// Attempts at something guarded. The attempts of a job or a delivery are retries.
bool countsAttempts(const QByteArray& name)
{
    return hasWord(name, words<"attempt", "attempts", "tries", "failures", "fails">) &&
           hasWord(name, wordsIn<"attempts">());
}

// Whether the name ends in the limited identity: an address, a name or random text. A plain number
// may identify anything unless the name says what it identifies.
bool limitsSomebody(const QByteArray& name)
{
    const QByteArrayView tail = tailOf(name);
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const bool number = std::all_of(tail.begin(), tail.end(), isDigit);
    return isIdentity(tail) && (!number || hasWord(name, wordsIn<"limited-subjects">()));
}

// Names of counters of calls or of failed attempts.
bool countsCalls(const QByteArray& name)
{
    return hasWord(name, wordsIn<"calls">());
}

// Numbers that are cached for a time: computed, looked up or to be shown.
bool isKeptNumber(const QByteArray& name)
{
    return hasWord(name, wordsIn<"kept-numbers">());
}

// Judges a key whose name has no word of a limiter. The name of what it counts may be enough to
// offer the key. Other keys are offered only as a group.
void judgeOther(const Probe& probe, qint64 count, Claim& claim)
{
    if (!probe.ttlMs || count < 1 || measuresOtherwise(probe.name))
        return;
    const bool calls = countsCalls(probe.name);
    if (!calls && isKeptNumber(probe.name))
        return;
    const QByteArrayView tail = tailOf(probe.name);
    const bool whose = looksOpaque(tail) || namesIdentity(probe.name);
    const bool number =
        std::all_of(tail.begin(), tail.end(), [](char c) { return c >= '0' && c <= '9'; });
    claim.confidence = calls && whose ? 0.4 : whose && !number && isIdentity(tail) ? 0.3 : 0.1;
    claim.doubt = calls ? Doubt::NameOnly : Doubt::ValueOnly;
    claim.further = {FurtherProof::Way::Growth, 10, calls};
}

// A number with a TTL may be anything. Only a name says that it counts calls.
Claim judged(const Probe& probe, qint64 count, Claim claim)
{
    const bool other = measuresOtherwise(probe.name);
    const bool attempts = countsAttempts(probe.name);
    if (limiterHint(probe.name) == LimiterHint::Strong || attempts) {
        // Without a TTL a name without an identity may be the limit itself. "rl" also stands for
        // reinforcement learning.
        const QByteArray last = probe.name.mid(probe.name.lastIndexOf(':') + 1);
        const bool ambiguous =
            (limiterHint(last) != LimiterHint::None || hasWord(probe.name, words<"rl">)) &&
            !namesIdentity(probe.name);
        claim.confidence = other ? 0.4 : probe.ttlMs ? 0.6 : attempts || ambiguous ? 0.45 : 0.5;
        claim.doubt = other ? Doubt::OtherWords : Doubt::NoTtl;
    } else if (limiterHint(probe.name) == LimiterHint::Weak && !other) {
        const bool placed = limitsSomebody(probe.name) || hasPart(probe.name, words<"quota">, true);
        claim.confidence = probe.ttlMs && placed ? 0.55 : 0.4;
        claim.doubt = probe.ttlMs ? Doubt::NameOnly : Doubt::NoTtl;
        if (probe.ttlMs)
            claim.further = {FurtherProof::Way::Growth, 10, true};
    } else {
        judgeOther(probe, count, claim);
    }
    return claim;
}

class FixedWindow final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("fixed-window"); }
    QString title() const override { return LayoutText::tr("Fixed window counter"); }
    Kind kind() const override { return Kind::Limiter; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("counter"); }
    KeyType mainType() const override { return KeyType::String; }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const auto count = wholeNumber(probe.head);
        if (probe.type != KeyType::String || !count || *count < 0 || *count > largestCount ||
            fixedWindowNamedOtherwise(probe.name))
            return std::nullopt;
        if (probe.ttlMs && *probe.ttlMs > longestFixedWindowMs)
            return std::nullopt;
        Claim claim =
            judged(probe, *count,
                   {{id(), probe.name}, {{mainRole(), probe.name}}, 0, {}, Doubt::NameOnly});
        return claim.confidence > 0 ? std::optional(std::move(claim)) : std::nullopt;
    }

    ActionList actions() const override
    {
        return {&actions::checkLimiter(), &actions::freeCount(), &actions::repairCounter(),
                &actions::clearLimiter()};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray key = primitive.key("counter");
        return commandsOf(probecommands::head(key), probecommands::ttl(key));
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        const Ttl ttl = ttlOf(replies[1]);
        state.ttlMs = ttl.ms;
        LimiterState limiter = declaredLimiter(primitive, Algorithm::FixedWindow);
        const auto count = wholeNumber(replies[0].text);
        if (!ttl.exists) {
            state.body = limiter;
            finalizeAbsentLimiter(state);
            return reading;
        }
        if (!count) {
            state.problem =
                Error{ErrorCode::Undecodable, LayoutText::tr("the value is not a whole number")};
            state.body = limiter;
            state.health = Health::Error;
            return reading;
        }
        limiter.occupancy = std::max<qint64>(0, *count);
        if (limiter.limit && *limiter.occupancy >= *limiter.limit)
            limiter.nextFreeMs = ttl.ms;
        if (ttl.ms)
            state.revisitAtMs = context.nowMs + *ttl.ms + 1;
        state.body = std::move(limiter);
        finalizeLimiter(state, !ttl.ms);
        return reading;
    }
};

} // namespace

LK_LAYOUT(fixedWindow, FixedWindow)

} // namespace lk
