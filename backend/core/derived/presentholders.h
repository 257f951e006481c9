// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// A present holder of a lock.
struct PresentHolder
{
    QByteArray owner;              ///< empty: the value names no owner
    std::optional<qint64> leaseMs; ///< time left of its lease; empty: it has none, or it is unknown
};

/// Returns each holder once: one for a lock, several for a shared lock or a semaphore. Omits
/// holders whose lease has ended.
std::vector<PresentHolder> presentHolders(const LockState& lock);

/// True if no other client can hold the lock at the same time.
bool isExclusive(const LockState& lock);
/// True if there are more holders than were read. An owner that was not read may still hold the
/// lock.
bool hasMoreHolders(const LockState& lock);

} // namespace lk
