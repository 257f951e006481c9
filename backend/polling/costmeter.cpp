// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/costmeter.h"

namespace lk {

namespace {

constexpr qint64 spanMs = 3000;

} // namespace

Cost CostMeter::measure(const TrafficCounts& totals, qint64 nowMs)
{
    if (!m_samples.empty() && nowMs < m_samples.back().atMs)
        m_samples.clear(); // the clock was set back
    m_samples.push_back({nowMs, totals.commands, totals.bytesSent + totals.bytesReceived});
    while (m_samples.size() > 2 && m_samples[1].atMs <= nowMs - spanMs)
        m_samples.pop_front();
    Cost cost;
    const Sample& first = m_samples.front();
    const Sample& last = m_samples.back();
    const double seconds = double(last.atMs - first.atMs) / 1000.0;
    if (seconds > 0) {
        cost.commandsPerSecond = double(last.commands - first.commands) / seconds;
        cost.bytesPerSecond = double(last.bytes - first.bytes) / seconds;
    }
    return cost;
}

} // namespace lk
