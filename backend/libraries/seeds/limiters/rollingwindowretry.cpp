// SPDX-License-Identifier: GPL-3.0-or-later
// The talk's second limiter. Beside the window there is a "future window". Every refused caller
// reserves the next time in it, one interval (window / limit) after the last reservation.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/namepair.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/limiters/limiteractions.h"
#include "backend/libraries/families/limiters/limiterreading.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr double rollingWindowRetrySkewMs = 5000;

// A mark of the window may have a suffix after its time. A reservation is only a time.
bool areTimes(const Probe& probe)
{
    const auto is = isRetryName(probe.name) ? repeatsScore : tellsScore;
    return !probe.members.empty() && std::all_of(probe.members.begin(), probe.members.end(), is) &&
           sharedTimeUnit(probe.members);
}

// Returns the distance between reservations if it is constant.
std::optional<double> spacingOf(const std::vector<double>& reservations)
{
    if (reservations.size() < 2)
        return std::nullopt;
    const double first = reservations[1] - reservations[0];
    for (size_t i = 1; i + 1 < reservations.size(); ++i) {
        const double next = reservations[i + 1] - reservations[i];
        if (std::abs(next - first) > 1 + first * 0.001)
            return std::nullopt;
    }
    // The mean is used because the script rounds each distance when it prints the times.
    const double mean =
        (reservations.back() - reservations.front()) / double(reservations.size() - 1);
    return mean > 0 ? std::optional(mean) : std::nullopt;
}

// A refusal trims the window first and then finds exactly as many marks as the limit. Later there
// are never more marks, so the largest number found is the best guess.
void inferNumbers(LimiterState& limiter, const Marks& window, const Marks& retry,
                  const State* previous)
{
    const std::optional<double> spacing = spacingOf(retry.newest);
    const LimiterState* before = previous ? previous->as<LimiterState>() : nullptr;
    const bool known =
        before && before->limitSource == Source::Inferred && before->limit && before->windowMs;
    qint64 limit = window.stored;
    if (known)
        limit = std::max(limit, *before->limit);
    if (limiter.limit)
        limit = *limiter.limit;
    double windowMs = spacing ? *spacing * double(limit) : 0;
    if (!spacing && known && limit == *before->limit)
        windowMs = double(*before->windowMs);
    const bool fits = !window.newest.empty() && !window.oldest.empty() &&
                      window.newest.back() - window.oldest.front() <= windowMs;
    if (limit <= 0 || windowMs < 1 || (!fits && window.stored > 0))
        return;
    if (!limiter.windowMs) {
        limiter.windowMs = qint64(std::llround(windowMs));
        limiter.windowSource = Source::Inferred;
    }
    if (!limiter.limit) {
        limiter.limit = limit;
        limiter.limitSource = Source::Inferred;
    }
}

void readReservations(LimiterState& limiter, const Marks& retry, qint64 nowMs)
{
    for (const double t : retry.newest) {
        if (t > double(nowMs))
            limiter.reserved.push_back(wholeMs(t));
    }
    limiter.retryAfterMs =
        limiter.reserved.empty()
            ? 0
            : std::max<qint64>(0, wholeMs(std::ceil(retry.newest.back())) - nowMs);
}

class RollingWindowRetry final : public PlannedLayout, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("rolling-window-retry"); }
    QString title() const override { return LayoutText::tr("Rolling window with retry-after"); }
    Kind kind() const override { return Kind::Limiter; }
    bool wants(KeyType type) const override { return type == KeyType::ZSet; }
    QByteArray mainRole() const override { return QByteArrayLiteral("window"); }
    KeyType mainType() const override { return KeyType::ZSet; }
    std::vector<ConfigField> configFields() const override
    {
        return {{"retry", FieldShape::Companion}};
    }
    QString exampleDeclaration() const override
    {
        return QStringLiteral("[[limiter]]\n"
                              "key = \"api:rate\"\n"
                              "layout = \"rolling-window-retry\"\n"
                              "limit = 5\n"
                              "window = \"1s\"\n"
                              "retry = \"api:retry\"");
    }

    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        if (type != KeyType::ZSet)
            return {};
        return isRetryName(name) ? windowNamesFor(name) : retryNamesFor(name);
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::ZSet || probe.siblings.empty() || !areTimes(probe))
            return std::nullopt;
        return isRetryName(probe.name) ? classifyRetry(probe) : classifyWindow(probe);
    }

    Claim declared(const Declaration& declaration, const QByteArray& name) const override
    {
        QByteArray retry = declaration.companion("retry", name);
        if (retry.isEmpty()) {
            const std::vector<QByteArray> names = retryNamesFor(name);
            retry = names.empty() ? name + ":retry" : names.front();
        }
        return claim(name, retry, 1.0);
    }

    ActionList actions() const override
    {
        return {&actions::checkLimiter(), &actions::capHorizon(), &actions::freeMarks(),
                &actions::clearLimiter()};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        std::vector<Command> commands = readsOf(windowQuery(primitive, context));
        const std::vector<Command> more = readsOf(retryQuery(primitive, context));
        commands.insert(commands.end(), more.begin(), more.end());
        return commands;
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        const MarksQuery windowOf = windowQuery(primitive, context);
        const size_t split = readCountOf(windowOf);
        const Marks window = marksOf(windowOf, replies.first(split));
        const Marks retry = marksOf(retryQuery(primitive, context), replies.subspan(split));
        DecodeResult reading;
        reading.wantsLarge = window.cut || retry.cut;
        State& state = reading.state;
        state.ttlMs = window.ttlMs;
        LimiterState limiter = declaredLimiter(primitive, Algorithm::SlidingLog);
        if (!limiter.windowMs || !limiter.limit)
            inferNumbers(limiter, window, retry, context.previous);
        if (!limiter.windowMs &&
            (limiter.windowMs = windowFromTtl(window, context.nowMs, context.previous)))
            limiter.windowSource = Source::Inferred;
        countMarks(limiter, state.revisitAtMs, window, cutoffOf(limiter.windowMs, context.nowMs),
                   context.nowMs);
        readReservations(limiter, retry, context.nowMs);
        if (!limiter.reserved.empty() &&
            (state.revisitAtMs == 0 || limiter.reserved.front() < state.revisitAtMs))
            state.revisitAtMs = std::max(context.nowMs + 1, limiter.reserved.front());
        state.body = std::move(limiter);
        state.present = window.exists || retry.exists;
        finalizeLimiter(state);
        return reading;
    }

private:
    Claim claim(const QByteArray& window, const QByteArray& retry, double confidence) const
    {
        return {{id(), pairName(window, retry)},
                {{mainRole(), window}, {QByteArrayLiteral("retry"), retry}},
                confidence};
    }

    std::optional<Claim> classifyWindow(const Probe& probe) const
    {
        // The probe contains the lowest scores. If one is in the future, all later ones are, too.
        const auto unit = sharedTimeUnit(probe.members);
        if (toMs(probe.members.back().score, *unit) >
            double(probe.nowMs) + rollingWindowRetrySkewMs)
            return std::nullopt;
        for (const QByteArray& retry : retryNamesFor(probe.name)) {
            if (probe.sibling(retry) == KeyType::ZSet)
                return claim(probe.name, retry, 0.95);
        }
        return std::nullopt;
    }

    std::optional<Claim> classifyRetry(const Probe& probe) const
    {
        const std::vector<QByteArray> windows = windowNamesFor(probe.name);
        for (const QByteArray& window : windows) {
            if (probe.sibling(window) == KeyType::ZSet)
                return claim(window, probe.name, 0.95);
        }
        return claim(windows.front(), probe.name, 0.88); // the window is empty at the moment
    }

    MarksQuery windowQuery(const Primitive& primitive, const ReadContext& context) const
    {
        const LimiterState declared = declaredLimiter(primitive, Algorithm::SlidingLog);
        // The mark that belongs to an inferred limit has to be among the newest ones.
        const bool detail = context.depth == Depth::Detail || !declared.limit;
        return {primitive.key("window"), declared.limit, cutoffOf(declared.windowMs, context.nowMs),
                context.large, detail};
    }

    MarksQuery retryQuery(const Primitive& primitive, const ReadContext& context) const
    {
        return {primitive.key("retry"), {}, {}, context.large, true};
    }
};

} // namespace

LK_LAYOUT(rollingWindowRetry, RollingWindowRetry)

} // namespace lk
