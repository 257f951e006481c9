// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

#include <QHash>

namespace lk {

/// Restores, from the recording, since when locks are held that were held before this console began
/// to watch. If owner and lease continue as recorded, it is the same hold. Pure.
class HeldSince
{
public:
    void restore(const std::vector<RecordedHold>& holds);
    /// Sets since when the lock is held, and adds earlier renewals. Applies once for each lock.
    void apply(State& state);
    bool isEmpty() const { return m_holds.isEmpty(); }
    bool contains(const PrimitiveId& id) const { return m_holds.contains(id); }

private:
    QHash<PrimitiveId, std::vector<RecordedHold>> m_holds; ///< several for a shared lock
};

} // namespace lk
