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
        m_lastMs[m_count++ % m_lastMs.size()] =
            qint32(std::clamp<qint64>(end - m_sinceMs, 0, std::numeric_limits<qint32>::max()));
    }
    m_sinceMs = since;
}

qint64 HoldTimes::usualMs() const
{
    if (m_count < leastCount)
        return 0;
    // One that took no time that could be seen still took some.
    return std::max<qint64>(1000, *std::max_element(m_lastMs.begin(), m_lastMs.end()));
}

} // namespace lk
