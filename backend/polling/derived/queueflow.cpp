// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/derived/queueflow.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 queueFlowSpanMs = 10'000;
constexpr qint64 queueFlowRevisitMs = 9500; // after the first read or a movement
constexpr qint64 longestStillMs = 60'000;   // between two reads without a difference

std::vector<quint64> fingerprints(const QueueState& queue)
{
    std::vector<quint64> result;
    for (const QueueJob& item : queue.items)
        result.push_back(item.fingerprint);
    std::sort(result.begin(), result.end());
    return result;
}

} // namespace

void QueueFlow::apply(State& state)
{
    auto* queue = state.body.find<QueueState>();
    if (!queue || state.problem)
        return;
    const qint64 depth = queue->ready.value_or(0) + queue->processing.value_or(0) +
                         queue->delayed.value_or(0) + queue->dead.value_or(0);
    std::vector<quint64> items = fingerprints(*queue);
    if (state.asOfMs < m_atMs)
        m_steps.clear(); // the server's clock was set back: its earlier times compare with nothing
    const bool isRead = state.payloads->asOfMs.value_or(state.asOfMs) == state.asOfMs;
    bool moved = true;
    if (m_atMs == 0 || m_steps.empty()) {
        m_steps.push_back({state.asOfMs, 0, 0}); // the first rate begins here
    } else if (state.asOfMs > m_atMs) {
        const double grown = double(depth - m_depth);
        Step step{state.asOfMs, std::max(0.0, grown), std::max(0.0, -grown)};
        m_out += step.out;
        if (isRead) {
            std::vector<quint64> left;
            std::set_difference(m_items.begin(), m_items.end(), items.begin(), items.end(),
                                std::back_inserter(left));
            // An item may leave processing for the ready list or the dead list; the depth shows
            // that. The depth has already accounted for a part of the items that left since their
            // last read.
            const double unseen = std::max(0.0, double(left.size()) - m_out);
            step.in += unseen;
            step.out += unseen;
        }
        moved = step.in > 0 || step.out > 0;
        m_steps.push_back(step);
    } else {
        moved = false;
    }
    m_atMs = state.asOfMs;
    m_depth = depth;
    if (isRead) {
        m_out = 0;
        m_items = std::move(items);
    }
    // Keeps the last two steps if they are equal: nothing came or went, even if reads are rare.
    const size_t least = !moved && m_steps.size() > 1 &&
                                 m_steps[m_steps.size() - 2].atMs >= state.asOfMs - longestStillMs
                             ? 2
                             : 1;
    while (m_steps.size() > least && m_steps.front().atMs < state.asOfMs - queueFlowSpanMs)
        m_steps.pop_front();
    const qint64 againMs = state.asOfMs + queueFlowRevisitMs;
    if (moved && depth > 0 && (state.revisitAtMs == 0 || againMs < state.revisitAtMs))
        state.revisitAtMs = againMs;
    if (m_steps.size() < 2)
        return;
    const double seconds = double(state.asOfMs - m_steps.front().atMs) / 1000.0;
    double in = 0;
    double out = 0;
    for (size_t i = 1; i < m_steps.size(); ++i) {
        in += m_steps[i].in;
        out += m_steps[i].out;
    }
    if (seconds >= 1) {
        queue->inPerSecond = in / seconds;
        queue->outPerSecond = out / seconds;
    }
}

} // namespace lk
