// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/scan/pace/scanpace.h"
#include "backend/discovery/scan/pace/tokenbucket.h"

namespace lk {

/// Computes how long the scan of one node waits before commands and after slices to keep within its
/// bounds. No I/O; used by one thread.
class ScanPacer
{
public:
    /// The clock must outlive this.
    explicit ScanPacer(const Clock& clock)
        : m_budget(0, clock)
    {}

    /// Call it when a scan begins; clears owed pauses.
    void start();
    /// Takes effect at once.
    void setBounds(const ScanBounds& bounds);
    const ScanBounds& bounds() const { return m_bounds; }

    /// Milliseconds to wait before that many commands are sent. Counts them as sent.
    int waitMs(qint64 commands);
    /// The wait for that many commands was done in advance.
    void prepay(qint64 commands) { m_prepaid += commands; }
    /// Milliseconds to pause after a slice. tookMs is the server's time for it.
    int pauseMs(double tookMs, qint64 names);

private:
    ScanBounds m_bounds;
    TokenBucket m_budget;
    qint64 m_prepaid = 0;
    double m_owedMs = 0; ///< owed pauses, too short for a timer
};

} // namespace lk
