// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/autorequeue/autorequeuestatus.h"
#include "backend/core/keptstate.h"

#include <optional>

namespace lk {

/// Limits on a Monitor's load on the server, and its pace. They hold for its whole life unless a
/// setter changes them.
struct MonitorLimits
{
    int otherCommandsPerSecond = 1200; ///< for all primitives off screen: see ReadBudget
    /// A limit for scans instead of their pace, until BackgroundScan::setPace(); 0: no limit.
    std::optional<qint64> scanCommandsPerSecond;
    int pollingIntervalMs = 250;
    qint64 payloadBytesPerSecond = 1024 * 1024; ///< on screen or not
    /// Primitives without attention are kept packed once there are more keys than that.
    qsizetype packFrom = KeptState::usualFrom;
    AutoRequeuePace autoRequeue;
};

} // namespace lk
