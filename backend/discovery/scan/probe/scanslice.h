// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/proberesult.h"

namespace lk {

/// A key that could not be judged, and why.
struct UnreadKey
{
    QByteArray name;
    Error error;
};

/// What one slice of SCAN brought.
struct ScanSlice
{
    std::vector<Probe> probes;        ///< of the keys of a wanted type
    std::vector<ProbeResult> results; ///< of each probe; empty: they are still to be judged
    qint64 names = 0;                 ///< that SCAN returned
    qint64 unwanted = 0;              ///< of a type that no layout looks at
    qint64 known = 0;                 ///< left out because the owner knows them
    qint64 members = 0;               ///< left out as mere parts of what the owner knows
    qint64 vanished = 0;              ///< gone between SCAN and the probe
    std::vector<UnreadKey> unread;    ///< denied, moved, too large
    qint64 denied = 0;                ///< not asked for again: they were denied before
    qint64 commands = 0;
    qint64 expected = 0;  ///< keys that the server says it has; 0: not known
    bool outside = false; ///< asked for by probe(): no part of the scan
    double tookMs = 0;    ///< that the server took to answer, without the way there and back

    /// A key that ended meanwhile is not there to be judged: if it comes back it is a new name.
    void leaveOut(const Probe& probe, const Error& problem)
    {
        if (problem.code == ErrorCode::NotFound)
            ++vanished;
        else
            unread.push_back({probe.name, problem});
    }

    qint64 skipped() const { return qint64(unread.size()) + denied; }
    qint64 scanned() const { return names - vanished; } ///< keys that were there to be judged
};

} // namespace lk
