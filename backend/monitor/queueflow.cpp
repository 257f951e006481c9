// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/monitor/queueflow.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 spanMs = 10'000;

std::vector<quint64> fingerprints(const QueueState& queue)
{
    std::vector<quint64> result;
    for (const QueueItem& item : queue.items)
        result.push_back(item.fingerprint);
    std::sort(result.begin(), result.end());
    return result;
}

} // namespace

void QueueFlow::apply(Handle handle, State& state)
{
    auto* queue = std::get_if<QueueState>(&state.body);
    if (!queue || state.problem)
        return;
    const qint64 depth = queue->ready.value_or(0) + queue->processing.value_or(0)
                         + queue->delayed.value_or(0) + queue->dead.value_or(0);
    std::vector<quint64> items = fingerprints(*queue);
    Flow& flow = m_flows[handle];
    if (state.asOfMs < flow.atMs)
        flow.steps.clear(); // the server's clock was set back: its earlier times compare with nothing
    if (flow.atMs > 0 && state.asOfMs > flow.atMs) {
        std::vector<quint64> left;
        std::set_difference(flow.items.begin(), flow.items.end(), items.begin(), items.end(),
                            std::back_inserter(left));
        // An item may leave processing for the ready list or the dead list: the depth tells.
        const double grown = double(depth - flow.depth);
        const double out = std::max(double(left.size()), -grown);
        flow.steps.push_back({state.asOfMs, std::max(0.0, grown + out), out});
    }
    flow.atMs = state.asOfMs;
    flow.depth = depth;
    flow.items = std::move(items);
    while (flow.steps.size() > 1 && flow.steps.front().atMs < state.asOfMs - spanMs)
        flow.steps.pop_front();
    if (flow.steps.size() < 2)
        return;
    const double seconds = double(state.asOfMs - flow.steps.front().atMs) / 1000.0;
    double in = 0;
    double out = 0;
    for (size_t i = 1; i < flow.steps.size(); ++i) {
        in += flow.steps[i].in;
        out += flow.steps[i].out;
    }
    if (seconds >= 1) {
        queue->inPerSecond = in / seconds;
        queue->outPerSecond = out / seconds;
    }
}

} // namespace lk
