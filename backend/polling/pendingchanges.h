// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

#include <map>

namespace lk {

/// The changes since the last delta: the newest state of each primitive, and the forgotten
/// primitives. Contains at most one entry per handle. Pure.
class PendingChanges
{
public:
    /// kept: the form in which the registry keeps the state; empty if it keeps the state as it is.
    void set(Handle handle, StatePtr state, KeptState kept = {})
    {
        m_changes[handle] = {std::move(state), std::move(kept)};
    }
    void forget(Handle handle) { m_changes[handle] = {}; }
    bool isEmpty() const { return m_changes.empty(); }

    /// Returns all changes and clears them. If a registry place was reused, its earlier handle
    /// comes first.
    std::vector<StateChange> take();

private:
    struct Pending
    {
        StatePtr state; ///< null if forgotten
        KeptState kept;
    };
    std::map<Handle, Pending> m_changes;
};

} // namespace lk
