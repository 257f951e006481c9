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

/// The results of one slice of SCAN.
struct ScanSlice
{
    std::vector<Probe> probes;        ///< probes of keys of a wanted type
    std::vector<ProbeResult> results; ///< one for each probe; empty: not judged yet
    qint64 names = 0;                 ///< names that SCAN returned
    qint64 unwanted = 0;              ///< keys of a type that no layout reads
    qint64 known = 0;                 ///< skipped because the owner knows them
    qint64 members = 0;               ///< skipped as parts of primitives that the owner knows
    qint64 vanished = 0;              ///< gone between SCAN and the probe
    std::vector<UnreadKey> unread;    ///< denied, moved, too large
    qint64 denied = 0;                ///< not probed again: they were denied before
    qint64 commands = 0;
    qint64 expected = 0;  ///< number of keys that the server reports; 0: unknown
    bool outside = false; ///< requested by probe(), not part of the scan
    double tookMs = 0;    ///< the server's time to answer, without the round trip

    /// Counts a key that has ended as vanished, and any other as unread.
    void leaveOut(const Probe& probe, const Error& problem)
    {
        if (problem.code == ErrorCode::NotFound)
            ++vanished;
        else
            unread.push_back({probe.name, problem});
    }

    qint64 skipped() const { return qint64(unread.size()) + denied; }
    qint64 scanned() const { return names - vanished; } ///< keys that still existed
};

} // namespace lk
