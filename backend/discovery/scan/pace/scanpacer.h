// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/scan/pace/scanpace.h"
#include "backend/discovery/scan/pace/tokenbucket.h"

namespace lk {

/// How long the scan of one node waits, before commands and after slices, to keep to its bounds.
/// No I/O; used by one thread.
class ScanPacer
{
public:
    /// The clock outlives this.
    explicit ScanPacer(const Clock& clock)
        : m_budget(0, clock)
    {}

    /// A scan begins: nothing is owed.
    void start();
    /// From now on.
    void setBounds(const ScanBounds& bounds);
    const ScanBounds& bounds() const { return m_bounds; }

    /// Milliseconds to wait before so many commands are sent. They count as sent then.
    int waitMs(qint64 commands);
    /// So many commands were waited for ahead of their time.
    void prepay(qint64 commands) { m_prepaid += commands; }
    /// Milliseconds to pause after a slice. tookMs: that the server took for it.
    int pauseMs(double tookMs, qint64 names);

private:
    ScanBounds m_bounds;
    TokenBucket m_budget;
    qint64 m_prepaid = 0;
    double m_owedMs = 0; ///< of pauses: less than a timer can wait
};

} // namespace lk
