// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

#include <QHash>

namespace lk {

/// Primitives whose keys are gone. They stay for a while, so that one sees how they ended: tokens a
/// minute, everything else ten, at most 2,000 together. What the operator declared by its name
/// stays for good. Pure; times are server milliseconds.
class Tombstones
{
public:
    /// Tells of each state as it is read.
    void saw(Handle handle, const State& state);
    void forget(Handle handle) { m_gone.remove(handle); }
    /// Those whose time is up; they are forgotten here.
    std::vector<Handle> takeDue(qint64 nowMs);

private:
    struct Entry
    {
        qint64 sinceMs = 0;
        bool token = false;
    };
    QHash<Handle, Entry> m_gone;
};

} // namespace lk
