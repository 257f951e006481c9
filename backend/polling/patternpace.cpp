// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/patternpace.h"

#include "backend/core/patternfigures.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 spanMs = 60'000;
constexpr qint64 leastMs = 5'000;

bool isSeen(const PatternState& pattern)
{
    if (pattern.rowsAre == PatternState::Rows::Rotation)
        return !pattern.rows.empty();
    return isCounter(pattern) && mainNumber(pattern);
}

// How many turns at least lead from one order to the other: what was behind the first so many
// stands in front now.
size_t turns(const std::vector<QByteArray>& before, const std::vector<PatternRow>& now)
{
    for (size_t n = 0; n < before.size(); ++n) {
        const size_t same = std::min(before.size() - n, now.size());
        if (std::equal(
                now.begin(), now.begin() + qptrdiff(same), before.begin() + qptrdiff(n),
                [](const PatternRow& row, const QByteArray& label) { return row.label == label; }))
            return n;
    }
    return 0; // somebody filled it anew
}

} // namespace

double PatternPace::moved(const Track& track, const PatternState& pattern)
{
    if (pattern.rowsAre == PatternState::Rows::Rotation)
        return double(turns(track.order, pattern.rows));
    return std::max(0.0, *mainNumber(pattern) - track.value);
}

void PatternPace::apply(Handle handle, State& state)
{
    auto* pattern = std::get_if<PatternState>(&state.body);
    if (!pattern)
        return;
    if (state.problem || !isSeen(*pattern)) {
        m_tracks.remove(handle);
        return;
    }
    Track& track = m_tracks[handle];
    // The server's clock was set back: its earlier times compare with nothing.
    if (!track.steps.empty() && state.asOfMs < track.steps.back().atMs)
        track.steps.clear();
    const double since = track.steps.empty() ? 0 : moved(track, *pattern);
    track.steps.push_back({state.asOfMs, since});
    track.order.clear();
    if (isCounter(*pattern))
        track.value = *mainNumber(*pattern);
    for (const PatternRow& row : pattern->rows)
        track.order.push_back(row.label);
    // Two stay, however long ago the first was: where looks are rare they still tell.
    while (track.steps.size() > 2 && track.steps.front().atMs < state.asOfMs - spanMs)
        track.steps.erase(track.steps.begin());
    const qint64 lookedMs = state.asOfMs - track.steps.front().atMs;
    if (lookedMs < leastMs)
        return;
    double sum = 0;
    for (size_t i = 1; i < track.steps.size(); ++i)
        sum += track.steps[i].moved;
    pattern->perMinute = sum * 60'000.0 / double(lookedMs);
}

} // namespace lk
