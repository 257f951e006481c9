// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/derived/patternrates.h"

#include "backend/core/derived/patternfigures.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 patternRatesSpanMs = 60'000;
constexpr qint64 leastMs = 5'000;

bool isSeen(const PatternState& pattern)
{
    if (pattern.rowsAre == PatternState::Rows::Rotation)
        return !pattern.rows.empty();
    return isCounter(pattern) && mainNumber(pattern);
}

// Returns the least number of rotations that lead from one order to the other: the rows behind the
// first n are now in front.
size_t rotations(const std::vector<QByteArray>& before, const std::vector<PatternRow>& now)
{
    for (size_t n = 0; n < before.size(); ++n) {
        const size_t same = std::min(before.size() - n, now.size());
        if (std::equal(
                now.begin(), now.begin() + qptrdiff(same), before.begin() + qptrdiff(n),
                [](const PatternRow& row, const QByteArray& label) { return row.label == label; }))
            return n;
    }
    return 0; // it was refilled
}

} // namespace

double PatternRates::moved(const PatternState& pattern) const
{
    if (pattern.rowsAre == PatternState::Rows::Rotation)
        return double(rotations(m_order, pattern.rows));
    return std::max(0.0, *mainNumber(pattern) - m_value);
}

void PatternRates::apply(State& state)
{
    auto* pattern = state.body.find<PatternState>();
    if (!pattern)
        return;
    if (state.problem || !isSeen(*pattern)) {
        *this = PatternRates();
        return;
    }
    // The server's clock was set back, so earlier times are not comparable.
    if (!m_steps.empty() && state.asOfMs < m_steps.back().atMs)
        m_steps.clear();
    const double since = m_steps.empty() ? 0 : moved(*pattern);
    m_steps.push_back({state.asOfMs, since});
    m_order.clear();
    if (isCounter(*pattern))
        m_value = *mainNumber(*pattern);
    for (const PatternRow& row : pattern->rows)
        m_order.push_back(row.label);
    // Keeps two steps, however old the first is, so that rare reads still give a rate.
    while (m_steps.size() > 2 && m_steps.front().atMs < state.asOfMs - patternRatesSpanMs)
        m_steps.erase(m_steps.begin());
    const qint64 observedMs = state.asOfMs - m_steps.front().atMs;
    if (observedMs < leastMs)
        return;
    double sum = 0;
    for (size_t i = 1; i < m_steps.size(); ++i)
        sum += m_steps[i].moved;
    pattern->perMinute = sum * 60'000.0 / double(observedMs);
}

} // namespace lk
