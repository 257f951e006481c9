// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/limiters/limiterreading.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr double limiterLongestWindowMs = 10.0 * 366 * 24 * 3600 * 1000;
constexpr double snapMs = 50; // jitter of a TTL read some time after a mark was written
constexpr qint64 badHorizonWindows = 10;

// How many marks are later than the cutoff. Sets upperBound if the number is not exact.
qint64 countLater(const Marks& marks, double cutoffMs, bool& upperBound)
{
    const auto firstLater = std::upper_bound(marks.oldest.begin(), marks.oldest.end(), cutoffMs);
    const qint64 old = firstLater - marks.oldest.begin();
    if (marks.complete())
        return marks.stored - old;
    if (marks.counted)
        return *marks.counted;
    upperBound = firstLater == marks.oldest.end();
    return marks.stored - old;
}

std::optional<double> limitMarkOf(const Marks& marks, qint64 limit)
{
    const std::vector<double>& newest = marks.complete() ? marks.oldest : marks.newest;
    if (limit > 0 && limit <= qint64(newest.size()))
        return newest[newest.size() - size_t(limit)];
    return marks.limitMark;
}

void fillAccepted(LimiterState& limiter, const Marks& marks, std::optional<double> cutoffMs)
{
    const std::vector<double>& times = marks.complete() ? marks.oldest : marks.newest;
    limiter.accepted.reserve(times.size());
    for (const double t : times) {
        if (!cutoffMs || t > *cutoffMs)
            limiter.accepted.push_back(wholeMs(t));
    }
    limiter.acceptedTruncated = qint64(limiter.accepted.size()) < *limiter.occupancy;
}

qint64 waitMs(double leavesMs, qint64 nowMs)
{
    return std::max<qint64>(0, wholeMs(std::ceil(leavesMs)) - nowMs);
}

Health healthOf(const LimiterState& l, bool neverFrees)
{
    const bool full = l.limit && l.remaining == 0;
    const bool longLine =
        l.retryAfterMs && l.windowMs && *l.retryAfterMs / badHorizonWindows > *l.windowMs;
    if (neverFrees || longLine)
        return Health::Error;
    if (full && l.algorithm != Algorithm::Gate)
        return Health::Warning;
    if (!l.limit && !l.reserved.empty())
        return Health::Warning;
    return l.occupancy.value_or(0) > 0 ? Health::Ok : Health::Idle;
}

double urgencyOf(const LimiterState& l)
{
    const double used = double(l.occupancy.value_or(0));
    // Without a limit, more use is more urgent but never as urgent as a full limiter.
    const double fill = l.limit && *l.limit > 0 ? used / double(*l.limit) : used / (used + 1) / 2;
    const double line = l.windowMs && *l.windowMs > 0
                            ? double(l.retryAfterMs.value_or(0)) / double(*l.windowMs)
                            : double(l.reserved.size());
    return fill + line;
}

} // namespace

LimiterState declaredLimiter(const Primitive& primitive, Algorithm algorithm)
{
    LimiterState limiter;
    limiter.algorithm = algorithm;
    const Declaration* d = primitive.declaration.get();
    if (d && d->limit) {
        limiter.limit = d->limit;
        limiter.limitSource = Source::Declared;
    }
    if (d && d->windowMs) {
        limiter.windowMs = d->windowMs;
        limiter.windowSource = Source::Declared;
    }
    return limiter;
}

std::optional<double> cutoffOf(std::optional<qint64> windowMs, qint64 nowMs)
{
    return windowMs ? std::optional(double(nowMs) - double(*windowMs)) : std::nullopt;
}

void countMarks(LimiterState& limiter, qint64& revisitAtMs, const Marks& marks,
                std::optional<double> cutoffMs, qint64 nowMs)
{
    bool upperBound = !cutoffMs && marks.stored > 0;
    limiter.occupancy = cutoffMs ? countLater(marks, *cutoffMs, upperBound) : marks.stored;
    limiter.occupancyIsUpperBound = upperBound;
    fillAccepted(limiter, marks, cutoffMs);
    if (!marks.newest.empty())
        limiter.newestMs = wholeMs(marks.newest.back());
    limiter.bareMembers = marks.bareTimes;
    const bool free = limiter.limit && *limiter.occupancy < *limiter.limit;
    if (free)
        limiter.nextFreeMs = 0;
    if (!cutoffMs || *limiter.occupancy == 0)
        return;
    const double windowMs = double(*limiter.windowMs);
    const auto oldest = std::upper_bound(marks.oldest.begin(), marks.oldest.end(), *cutoffMs);
    if (oldest != marks.oldest.end())
        revisitAtMs = nowMs + std::max<qint64>(1, waitMs(*oldest + windowMs, nowMs));
    if (!limiter.limit || free || upperBound)
        return;
    if (const auto mark = limitMarkOf(marks, *limiter.limit)) {
        limiter.nextFreeMs = waitMs(*mark + windowMs, nowMs);
        if (revisitAtMs == 0)
            revisitAtMs = nowMs + std::max<qint64>(1, *limiter.nextFreeMs);
    }
}

std::optional<qint64> windowFromTtl(const Marks& marks, qint64 nowMs, const State* previous)
{
    if (!marks.ttlMs || marks.newest.empty())
        return std::nullopt;
    const double window = double(*marks.ttlMs) + double(nowMs) - marks.newest.back();
    if (!(window >= 1 && window <= limiterLongestWindowMs))
        return std::nullopt;
    const double second = std::round(window / 1000) * 1000;
    if (second > 0 && std::abs(window - second) <= snapMs)
        return qint64(second);
    const LimiterState* before = previous ? previous->as<LimiterState>() : nullptr;
    if (before && before->windowSource == Source::Inferred && before->windowMs &&
        std::abs(window - double(*before->windowMs)) <= snapMs)
        return before->windowMs;
    return qint64(std::round(window));
}

void finalizeLimiter(State& state, bool neverFrees)
{
    auto& l = state.body.get<LimiterState>();
    if (l.limit && l.occupancy && !l.occupancyIsUpperBound)
        l.remaining = std::max<qint64>(0, *l.limit - *l.occupancy);
    if (l.remaining && *l.remaining > 0)
        l.nextFreeMs = 0;
    // The limiter gives no retry advice: wait until the next request passes.
    if (!l.retryAfterMs && l.remaining)
        l.retryAfterMs = *l.remaining > 0 ? OptionalInt(0) : l.nextFreeMs;
    state.health = healthOf(l, neverFrees);
    state.urgency = urgencyOf(l);
}

void finalizeAbsentLimiter(State& state)
{
    auto& l = state.body.get<LimiterState>();
    state.present = false;
    l.occupancy = 0;
    l.occupancyIsUpperBound = false;
    finalizeLimiter(state);
}

} // namespace lk
