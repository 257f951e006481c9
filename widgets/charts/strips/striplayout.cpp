// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/strips/striplayout.h"

#include "widgets/charts/chartformat.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr qreal nowShare = 0.66; // of the width, where there is a future
constexpr qreal nowInset = 14;   // from the right end, where there is none
constexpr qreal widestMark = 6;
constexpr qreal narrowestMark = 2;
constexpr int mostRows = 4;

qreal widthFor(qreal room, qint64 marks)
{
    return std::clamp(room / double(std::max<qint64>(1, marks)) * 0.5, narrowestMark, widestMark);
}

void stack(std::vector<StripLayout::Mark>& marks, qreal markWidth)
{
    size_t begin = 0;
    while (begin < marks.size()) {
        size_t end = begin + 1;
        while (end < marks.size() && marks[end].x - marks[end - 1].x < markWidth * 0.8)
            ++end;
        const int rows = int(std::min<size_t>(end - begin, mostRows));
        for (size_t i = begin; i < end; ++i) {
            marks[i].rows = rows;
            marks[i].row = int(i - begin) % rows;
        }
        begin = end;
    }
}

/// Returns the rest of a duration that was read at asOfMs. Nothing once it has passed.
std::optional<qint64> leftOf(std::optional<qint64> durationMs, qint64 asOfMs, qint64 nowMs)
{
    if (!durationMs || asOfMs + *durationMs <= nowMs)
        return std::nullopt;
    return asOfMs + *durationMs - nowMs;
}

void placeAxis(StripLayout& strip, const LimiterState& state, bool wantFuture)
{
    strip.windowKnown = state.windowMs.has_value();
    const qint64 oldest = state.accepted.empty() ? strip.nowMs : state.accepted.front();
    const double needed = std::max<double>(1000, double(strip.nowMs - oldest));
    strip.pastMs =
        state.windowMs.value_or(qint64(roundStep(needed, 1, Metric::Unit::Milliseconds)));
    strip.nowX = strip.width - nowInset;
    qint64 horizon = strip.retryInMs.value_or(0);
    if (!state.reserved.empty())
        horizon = std::max(horizon, state.reserved.back() - strip.nowMs);
    if (horizon <= 0 && !wantFuture)
        return;
    strip.nowX = std::floor(strip.width * nowShare);
    // On the past's scale if that reaches far enough; else on a round one, so that it stands
    // still while the horizon moves.
    const auto alike = qint64(double(strip.pastMs) * (1 - nowShare) / nowShare);
    strip.futureMs = horizon <= alike
                         ? alike
                         : qint64(roundStep(double(horizon), 1, Metric::Unit::Milliseconds));
}

void placeMarks(StripLayout& strip, const LimiterState& state)
{
    for (const qint64 tMs : state.accepted) {
        if (tMs > strip.nowMs - strip.pastMs || !strip.windowKnown)
            strip.accepted.push_back({tMs, strip.xOf(std::min(tMs, strip.nowMs)), false});
    }
    for (const qint64 tMs : state.reserved) {
        if (tMs > strip.nowMs)
            strip.reserved.push_back({tMs, strip.xOf(tMs), true});
    }
    const qint64 most = std::max(strip.limit.value_or(0), qint64(strip.accepted.size()));
    strip.markWidth = widthFor(strip.nowX, most);
    strip.reservedWidth = widthFor(strip.width - strip.nowX, qint64(strip.reserved.size()));
    stack(strip.accepted, strip.markWidth);
    stack(strip.reserved, strip.reservedWidth);
}

void findNextToLeave(StripLayout& strip, qint64 freeAtMs)
{
    size_t best = 0;
    qint64 bestDistance = -1;
    for (size_t i = 0; i < strip.accepted.size(); ++i) {
        const qint64 distance = std::abs(strip.accepted[i].tMs + strip.pastMs - freeAtMs);
        if (bestDistance < 0 || distance < bestDistance) {
            bestDistance = distance;
            best = i;
        }
    }
    if (bestDistance >= 0)
        strip.leavesNext = best;
}

} // namespace

bool hasMarks(Algorithm algorithm)
{
    return algorithm == Algorithm::SlidingLog || algorithm == Algorithm::PermitLog;
}

qreal StripLayout::xOf(qint64 tMs) const
{
    const auto distance = double(tMs - nowMs);
    if (distance <= 0)
        return nowX + distance / double(pastMs) * nowX;
    return futureMs > 0 ? nowX + distance / double(futureMs) * (width - nowX) : nowX;
}

bool StripLayout::dense() const
{
    return double(accepted.size()) * (narrowestMark + 1) > nowX;
}

StripLayout layoutStrip(const LimiterState& state, qint64 asOfMs, qint64 nowMs, qreal width,
                        bool wantFuture)
{
    StripLayout strip;
    strip.width = width;
    strip.nowMs = nowMs;
    strip.limit = state.limit;
    strip.retryInMs = leftOf(state.retryAfterMs, asOfMs, nowMs);
    placeAxis(strip, state, wantFuture);
    placeMarks(strip, state);
    // Marks that have left the window since the state was read no longer count, where one mark
    // is one request.
    const qint64 read = state.occupancy.value_or(qint64(state.accepted.size()));
    const bool markEach = !state.acceptedTruncated && read == qint64(state.accepted.size());
    strip.used = markEach && strip.windowKnown ? qint64(strip.accepted.size()) : read;
    if (!strip.full())
        return strip;
    strip.nextFreeInMs = leftOf(state.nextFreeMs, asOfMs, nowMs);
    if (strip.nextFreeInMs && strip.windowKnown)
        findNextToLeave(strip, nowMs + *strip.nextFreeInMs);
    return strip;
}

} // namespace lk
