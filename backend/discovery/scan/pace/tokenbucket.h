// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"

#include <algorithm>
#include <cmath>

namespace lk {

/// Limits commands: over any time from the first command on, no more than perSecond times that time
/// are sent. Each batch waits before it is sent; idle time is not saved up.
class TokenBucket
{
public:
    /// perSecond 0: no limit. The clock must outlive this.
    TokenBucket(qint64 perSecond, const Clock& clock)
        : m_perSecond(perSecond)
        , m_clock(clock)
    {}

    /// Applies to later commands.
    void setPerSecond(qint64 perSecond) { m_perSecond = perSecond; }

    /// Milliseconds to wait before that many commands are sent. Counts them as sent.
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
    double m_paidMs = 0; ///< local time at which all waits so far are over
};

} // namespace lk
