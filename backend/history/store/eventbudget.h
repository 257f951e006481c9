// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <algorithm>

namespace lk {

/// Limits events to a burst of `most` and then to perSecond, so that frequent events do not fill
/// the disk. Times are of one clock; a clock that is set back adds no budget.
class EventBudget
{
public:
    EventBudget(qint64 most, qint64 perSecond)
        : m_most(most)
        , m_perSecond(perSecond)
        , m_left(most)
    {}

    bool take(qint64 nowMs)
    {
        if (const qint64 seconds = (nowMs - m_givenMs) / 1000; seconds > 0) {
            m_left = std::min(m_most, m_left + std::min(seconds, m_most) * m_perSecond);
            m_givenMs = nowMs;
        }
        if (m_left == 0)
            return false;
        --m_left;
        return true;
    }

private:
    qint64 m_most;
    qint64 m_perSecond;
    qint64 m_left;
    qint64 m_givenMs = 0;
};

} // namespace lk
