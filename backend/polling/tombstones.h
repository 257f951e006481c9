// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/polling/followed.h"

namespace lk {

/// Primitives whose keys are gone. They stay for a while, so that one sees how they ended: tokens a
/// minute, everything else ten, at most 2,000 together. What the operator declared by its name
/// stays for good. Pure; times are server milliseconds.
class Tombstones
{
public:
    /// table: not owned, outlives this. What is erased there is forgotten.
    explicit Tombstones(FollowedTable& table)
        : m_table(table)
    {}

    /// Tells of each state as it is read.
    void saw(Handle handle, const State& state);
    /// Those whose time is up: told once.
    std::vector<Handle> takeDue(qint64 nowMs);

private:
    FollowedTable& m_table;
    std::vector<Handle> m_gone; ///< and what has come back or is forgotten since
};

} // namespace lk
