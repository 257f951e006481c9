// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/derived/jobthroughput.h"

namespace lk {

namespace {

constexpr qint64 jobThroughputSpanMs = 30'000;
constexpr qint64 leastSpanMs = 1000;
constexpr qint64 jobThroughputRevisitMs = 10'000;

bool isCounted(const QueueState& queue)
{
    const bool totals = queue.rateSource == RateSource::Totals ||
                        queue.rateSource == RateSource::TotalsOfAll ||
                        queue.rateSource == RateSource::TotalsOfWorker;
    return totals && queue.completedTotal && queue.failedTotal;
}

} // namespace

void JobThroughput::apply(State& state)
{
    auto* queue = state.body.find<QueueState>();
    if (!queue || state.problem)
        return;
    if (!isCounted(*queue)) {
        m_counts.clear();
        return;
    }
    const Count now{state.asOfMs, *queue->completedTotal, *queue->failedTotal};
    if (!m_counts.empty()) {
        const Count& last = m_counts.back();
        // The totals were reset or have another source, or the server's clock was set back.
        if (m_of != queue->totalsOf || now.completed < last.completed || now.failed < last.failed ||
            now.atMs < last.atMs)
            m_counts.clear();
    }
    m_of = queue->totalsOf;
    if (m_counts.empty() || now.atMs > m_counts.back().atMs)
        m_counts.push_back(now);
    while (m_counts.size() > 2 && m_counts[1].atMs <= now.atMs - jobThroughputSpanMs)
        m_counts.pop_front();
    const Count& first = m_counts.front();
    const qint64 overMs = now.atMs - first.atMs;
    if (overMs < leastSpanMs)
        return;
    queue->completedPerSecond = double(now.completed - first.completed) * 1000 / double(overMs);
    queue->failedPerSecond = double(now.failed - first.failed) * 1000 / double(overMs);
    const bool moves = *queue->completedPerSecond > 0 || *queue->failedPerSecond > 0;
    const qint64 againMs = state.asOfMs + jobThroughputRevisitMs;
    if (moves && (state.revisitAtMs == 0 || againMs < state.revisitAtMs))
        state.revisitAtMs = againMs;
}

} // namespace lk
