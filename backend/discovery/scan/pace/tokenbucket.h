// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"

#include <algorithm>
#include <cmath>

namespace lk {

/// Paces commands: what is sent over any time from the first command on stays under perSecond times
/// that time. Each batch is paid for before it is sent; nothing is saved up while nothing is sent.
class TokenBucket
{
public:
    /// perSecond 0: no limit. The clock outlives this.
    TokenBucket(qint64 perSecond, const Clock& clock)
        : m_perSecond(perSecond)
        , m_clock(clock)
    {}

    /// For what is sent from now on.
    void setPerSecond(qint64 perSecond) { m_perSecond = perSecond; }

    /// How many milliseconds to wait before so many commands are sent. They count as sent then.
    int waitMs(qint64 commands)
    {
        if (m_perSecond <= 0)
            return 0;
        const qint64 nowMs = m_clock.nowMs();
        const double start = std::max(m_paidMs, double(nowMs));
        m_paidMs = start + double(commands) * 1000.0 / double(m_perSecond);
        return int(std::ceil(m_paidMs - double(nowMs)));
    }

private:
    qint64 m_perSecond;
    const Clock& m_clock;
    double m_paidMs = 0; ///< local time until which all is paid for
};

} // namespace lk
