// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>

namespace lk {

/// Limits recurring work to a twentieth of the time: work that took 200 ms is not due again for
/// four seconds.
class WorkPace
{
public:
    bool isDue() const { return !m_ended.isValid() || m_ended.elapsed() >= m_tookMs * share; }

    template<typename Work> void measure(const Work& work)
    {
        QElapsedTimer timer;
        timer.start();
        work();
        m_tookMs = timer.elapsed();
        m_ended.start();
    }

private:
    static constexpr qint64 share = 20;

    QElapsedTimer m_ended;
    qint64 m_tookMs = 0;
};

} // namespace lk
