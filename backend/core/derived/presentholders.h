// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// One who holds a lock just now.
struct PresentHolder
{
    QByteArray owner;              ///< empty: the value tells none
    std::optional<qint64> leaseMs; ///< what is left of its lease; empty: it has none, or unknown
};

/// All of them, each once: one of a lock, several of a shared lock or a semaphore. Who has run out
/// holds nothing.
std::vector<PresentHolder> presentHolders(const LockState& lock);

/// Nobody else can hold it at the same time.
bool isExclusive(const LockState& lock);
/// There are more than were read: one that is missing may hold it all the same.
bool hasMoreHolders(const LockState& lock);

} // namespace lk
