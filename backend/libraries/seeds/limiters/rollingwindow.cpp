// SPDX-License-Identifier: GPL-3.0-or-later
// A sorted set with a mark for each accepted request, trimmed on every call. This is the talk's
// first limiter. tj/ratelimiter, async-ratelimiter and rolling-rate-limiter use it, too.
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

constexpr double dayMs = 24.0 * 3600 * 1000;
constexpr double rollingWindowSkewMs = 5000; // a client's clock may run ahead of the server's

// Sorted sets of times that are not limiters: registries, semaphores, logs of finished work.
bool rollingWindowNamedOtherwise(const QByteArray& name)
{
    return hasWord(name, wordsIn<"not-rolling-windows">());
}

// Members of a group of Django Channels, "specific.<id>!<id>", by the time they joined. Also the
// queue of a channel, whose name ends in a mark.
bool isOfChannels(const Probe& probe)
{
    const auto isChannel = [](const ScoredMember& m) {
        return m.member.contains('!') &&
               (m.member.startsWith("specific") || isHex(m.member.mid(m.member.indexOf('!') + 1)));
    };
    return probe.name.endsWith('!') ||
           std::all_of(probe.members.begin(), probe.members.end(), isChannel);
}

bool isRandom(const ScoredMember& m)
{
    return tellsScore(m) || looksLikeOwnerToken(m.member) ||
           (m.member.size() >= 8 && looksOpaque(m.member) && !looksLikeJson(m.member) &&
            !m.member.contains(' '));
}

// The time, followed by a suffix that distinguishes requests of the same moment. The suffix is
// never a word.
bool isTimeAndRandom(const ScoredMember& m)
{
    const qsizetype digits = QByteArray::number(m.score, 'f', 0).size();
    if (m.member.size() <= digits || !tellsScore(m))
        return false;
    QByteArrayView rest = QByteArrayView(m.member).sliced(digits);
    while (!rest.isEmpty() && (rest.front() == ':' || rest.front() == '-' || rest.front() == '.' ||
                               rest.front() == '_'))
        rest = rest.sliced(1);
    return decimalNumber(rest) || isHex(rest) || isRandomText(rest);
}

// Members that only repeat the time contain nothing but their number: that is a window. All other
// members may describe an event. Then only the name says that the events are calls.
Claim judged(const Probe& probe, TimeUnit unit, Claim claim)
{
    const auto all = [&probe](auto is) {
        return std::all_of(probe.members.begin(), probe.members.end(), is);
    };
    const LimiterHint hint = limiterHint(probe.name);
    const bool other = hint != LimiterHint::Strong &&
                       (isEventLogName(probe.name) || measuresOtherwise(probe.name));
    claim.doubt = other ? Doubt::OtherWords : Doubt::ValueOnly;
    if (all(repeatsScore)) {
        // Old dates are kept for their own sake. The marks of a limiter are from today.
        const double oldest = toMs(probe.members.front().score, unit);
        const bool today = oldest > double(probe.nowMs) - dayMs;
        claim.confidence = other ? 0.45 : hint != LimiterHint::None ? 0.85 : today ? 0.8 : 0.4;
    } else if (const bool timed = all(tellsScore); timed || all(isRandom)) {
        // The format of rolling-rate-limiter. The key may have any name.
        const bool library = unit == TimeUnit::Microseconds && probe.ttlMs &&
                             all([](const ScoredMember& m) { return isUuid(m.member); });
        const bool named =
            hint == LimiterHint::Strong || (hint == LimiterHint::Weak && (probe.ttlMs || timed));
        if (named || library)
            claim.confidence = other ? 0.4 : named ? 0.7 : 0.6;
        else if (probe.ttlMs && !other) {
            claim.confidence = 0.3;
            if (all(isTimeAndRandom))
                claim.further = {FurtherProof::Way::Siblings, 3};
        }
    }
    return claim;
}

class RollingWindow final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("rolling-window"); }
    QString title() const override { return LayoutText::tr("Rolling window"); }
    Kind kind() const override { return Kind::Limiter; }
    bool wants(KeyType type) const override { return type == KeyType::ZSet; }
    QByteArray mainRole() const override { return QByteArrayLiteral("window"); }
    KeyType mainType() const override { return KeyType::ZSet; }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::ZSet || probe.members.empty() ||
            rollingWindowNamedOtherwise(probe.name) || isOfChannels(probe))
            return std::nullopt;
        const auto unit = sharedTimeUnit(probe.members);
        if (!unit)
            return std::nullopt;
        const auto isAhead = [&](const ScoredMember& m) {
            return toMs(m.score, *unit) > double(probe.nowMs) + rollingWindowSkewMs;
        };
        const bool limiterName = limiterHint(probe.name) != LimiterHint::None;
        // Future times are plans or reservations. Among past times under a limiter's name they come
        // from a client whose clock is ahead.
        const bool future = limiterName && !isAhead(probe.members.front())
                                ? false
                                : std::any_of(probe.members.begin(), probe.members.end(), isAhead);
        if (future)
            return std::nullopt;
        Claim claim =
            judged(probe, *unit,
                   {{id(), probe.name}, {{mainRole(), probe.name}}, 0, {}, Doubt::ValueOnly});
        return claim.confidence > 0 ? std::optional(std::move(claim)) : std::nullopt;
    }

    ActionList actions() const override
    {
        return {&actions::checkLimiter(), &actions::freeMarks(), &actions::clearLimiter()};
    }

    std::optional<DecodeResult> decodeProbe(const Primitive& primitive, const Probe& probe,
                                            const ReadContext& context) const override
    {
        return stateOf(primitive, marksOf(probe), context);
    }

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        return readsOf(query(primitive, context));
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        return stateOf(primitive, marksOf(query(primitive, context), replies), context);
    }

private:
    static DecodeResult stateOf(const Primitive& primitive, const Marks& marks,
                                const ReadContext& context)
    {
        DecodeResult reading;
        reading.wantsLarge = marks.cut;
        State& state = reading.state;
        LimiterState limiter = declaredLimiter(primitive, Algorithm::SlidingLog);
        if (!limiter.windowMs &&
            (limiter.windowMs = windowFromTtl(marks, context.nowMs, context.previous)))
            limiter.windowSource = Source::Inferred;
        state.ttlMs = marks.ttlMs;
        if (marks.exists)
            countMarks(limiter, state.revisitAtMs, marks, cutoffOf(limiter.windowMs, context.nowMs),
                       context.nowMs);
        state.body = std::move(limiter);
        marks.exists ? finalizeLimiter(state) : finalizeAbsentLimiter(state);
        return reading;
    }

    MarksQuery query(const Primitive& primitive, const ReadContext& context) const
    {
        const LimiterState declared = declaredLimiter(primitive, Algorithm::SlidingLog);
        return {primitive.key("window"), declared.limit, cutoffOf(declared.windowMs, context.nowMs),
                context.large, context.depth == Depth::Detail};
    }
};

} // namespace

LK_LAYOUT(rollingWindow, RollingWindow)

} // namespace lk
