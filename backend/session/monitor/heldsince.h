// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

#include <QHash>

namespace lk {

/// Since when locks are held that were held already when this console began to watch, as far as the
/// recording knows: while owner and lease go on as they were recorded, it is the same hold. Pure.
class HeldSince
{
public:
    void restore(const std::vector<RecordedHold>& holds);
    /// Sets since when, and adds the renewals of before. Once for each lock.
    void apply(State& state);
    bool isEmpty() const { return m_holds.isEmpty(); }
    bool contains(const PrimitiveId& id) const { return m_holds.contains(id); }

private:
    QHash<PrimitiveId, std::vector<RecordedHold>> m_holds; ///< of a shared lock several
};

} // namespace lk
