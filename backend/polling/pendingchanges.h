// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

#include <map>

namespace lk {

/// What has changed since the last delta: the newest state of each primitive, and which are
/// forgotten. Grows no faster than the number of primitives. Pure.
class PendingChanges
{
public:
    /// kept: as the registry keeps it; none: as it is.
    void set(Handle handle, StatePtr state, KeptState kept = {})
    {
        m_changes[handle] = {std::move(state), std::move(kept)};
    }
    void forget(Handle handle) { m_changes[handle] = {}; }
    bool isEmpty() const { return m_changes.empty(); }

    /// All of them, and nothing is pending any more. Whose place was given to another comes before
    /// that one.
    std::vector<StateChange> take();

private:
    struct Pending
    {
        StatePtr state; ///< null: forgotten
        KeptState kept;
    };
    std::map<Handle, Pending> m_changes;
};

} // namespace lk
