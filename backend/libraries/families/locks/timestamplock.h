// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/families/locks/lockactions.h"

namespace lk {

// A lock whose value is the time of its end.

/// The end in milliseconds. Nothing if the value is not a time in seconds or milliseconds.
std::optional<double> timestampLockEndMs(const QByteArray& value);
std::vector<Command> timestampLockReads(const QByteArray& key);
State timestampLockState(std::span<const Reply> replies, qint64 nowMs);
inline ActionList timestampLockActions()
{
    return {&actions::releaseLock(), &actions::clearTimestampLock(),
            &actions::takeOverTimestampLock(), &actions::setTimestampLockTtl()};
}

} // namespace lk
