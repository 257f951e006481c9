// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/pace/scanpacer.h"

namespace lk {

namespace {

constexpr double longestPauseMs = 4000;

} // namespace

void ScanPacer::start()
{
    m_prepaid = 0;
    m_owedMs = 0;
}

void ScanPacer::setBounds(const ScanBounds& bounds)
{
    m_bounds = bounds;
    m_budget.setPerSecond(bounds.commandsPerSecond);
}

int ScanPacer::waitMs(qint64 commands)
{
    const qint64 unpaid = std::max<qint64>(0, commands - m_prepaid);
    m_prepaid = std::max<qint64>(0, m_prepaid - commands);
    return unpaid > 0 ? m_budget.waitMs(unpaid) : 0;
}

// A slow server gets longer pauses automatically.
int ScanPacer::pauseMs(double tookMs, qint64 names)
{
    m_owedMs += std::max({std::min(tookMs * m_bounds.pauseShare, longestPauseMs),
                          m_bounds.leastPauseMs, double(names) * m_bounds.namePauseMs});
    const int whole = int(m_owedMs);
    m_owedMs -= whole; // pauses below a millisecond are summed up
    return whole;
}

} // namespace lk
