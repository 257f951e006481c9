// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/polling/followed.h"

namespace lk {

/// Keeps primitives whose keys are gone for a while, so that the user sees how they ended: tokens
/// for one minute, all others for ten, at most 2,000 in total. Primitives that the operator
/// declared by name stay forever. Pure; times are server milliseconds.
class Tombstones
{
public:
    /// table is not owned and must outlive this object. Primitives that are erased from it are
    /// forgotten.
    explicit Tombstones(FollowedTable& table)
        : m_table(table)
    {}

    /// Call for each state as it is read.
    void saw(Handle handle, const State& state);
    /// Returns the primitives whose time is up, each once.
    std::vector<Handle> takeDue(qint64 nowMs);

private:
    FollowedTable& m_table;
    std::vector<Handle> m_gone; ///< may contain primitives that came back or were forgotten
};

} // namespace lk
