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
    void set(Handle handle, StatePtr state) { m_changes[handle] = std::move(state); }
    void forget(Handle handle) { m_changes[handle] = nullptr; }
    bool isEmpty() const { return m_changes.empty(); }

    /// All of them, and nothing is pending any more. Whose place was given to another comes before
    /// that one.
    std::vector<StateChange> take();

private:
    std::map<Handle, StatePtr> m_changes; ///< null: forgotten
};

} // namespace lk
