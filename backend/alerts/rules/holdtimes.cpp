// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/rules/holdtimes.h"

#include <algorithm>
#include <limits>

namespace lk {

void HoldTimes::add(const State& state)
{
    const auto* lock = state.as<LockState>();
    if (!lock || state.problem)
        return;
    const bool held = state.present && (lock->phase == LockState::Phase::Held ||
                                        lock->phase == LockState::Phase::NoTtl);
    const qint64 since = held ? state.observed.sinceMs : 0;
    if (m_sinceMs > 0 && since != m_sinceMs) {
        const qint64 end = held ? since : state.asOfMs;
        count(end - m_sinceMs);
    }
    m_sinceMs = since;
}

void HoldTimes::count(qint64 heldMs)
{
    m_lastMs[m_count++ % m_lastMs.size()] =
        qint32(std::clamp<qint64>(heldMs, 0, std::numeric_limits<qint32>::max()));
}

void HoldTimes::prepend(const std::vector<qint64>& heldMs)
{
    const std::vector<qint64> own = last();
    m_count = 0;
    for (const qint64 ms : heldMs)
        count(ms);
    for (const qint64 ms : own)
        count(ms);
}

std::vector<qint64> HoldTimes::last() const
{
    const quint32 size = quint32(m_lastMs.size());
    std::vector<qint64> last;
    for (quint32 i = m_count > size ? m_count - size : 0; i < m_count; ++i)
        last.push_back(m_lastMs[i % size]);
    return last;
}

qint64 HoldTimes::usualMs() const
{
    if (m_count < leastCount)
        return 0;
    // One that took no time that could be seen still took some.
    return std::max<qint64>(1000, *std::max_element(m_lastMs.begin(), m_lastMs.end()));
}

} // namespace lk
