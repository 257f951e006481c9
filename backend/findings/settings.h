// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

#include <QByteArrayList>

namespace lk {

/// The thresholds of findings. Durations are milliseconds of the server's clock, sizes bytes. A
/// primitive's own declaration has priority.
struct CheckThresholds
{
    /// A token that is valid for longer is a finding. 30 days: SETEX takes seconds, and an hour in
    /// milliseconds would be 41 days.
    qint64 tokenTtlMs = 30LL * 24 * 3600 * 1000;
    qint64 lockLeaseMs = 24LL * 3600 * 1000; ///< a lock that stores its end and ends later
    qint64 retryHorizonMs = 0; ///< the longest advice to wait; 0: ten windows, 10 s at least
    qint64 stuckAfterMs = 0;   ///< in processing for so long; 0: the queue's own threshold
    qint64 clockSkewMs = 2000; ///< a client's clock ahead of the server's by more
    qint64 idleAfterMs = 24LL * 3600 * 1000; ///< without TTL and unused for longer
    qint64 bigKeyBytes = 10LL * 1024 * 1024;
    qint64 codeBits = 40;  ///< log2 of the number of codes of that shape
    qint64 backlog = 100;  ///< waiting items; with fewer a queue is not reported as growing
    qint64 wakeUps = 1000; ///< in an event queue's helper list, beyond the waiting events

    bool operator==(const CheckThresholds&) const = default;
};

/// One [[silence]] of a configuration file.
struct SilenceRule
{
    QByteArray code;
    QByteArray match; ///< a glob over names and keys; empty for all of that code

    bool operator==(const SilenceRule&) const = default;
};

/// The [check] and the [[silence]] of a configuration file.
struct CheckSettings
{
    CheckThresholds thresholds;
    QByteArrayList silence; ///< codes that are counted and no longer reported
    std::vector<SilenceRule> rules;

    bool isSilenced(const Finding& finding) const;
};

} // namespace lk
