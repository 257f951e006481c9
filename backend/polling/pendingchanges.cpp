// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/pendingchanges.h"

#include <utility>

namespace lk {

std::vector<StateChange> PendingChanges::take()
{
    std::vector<StateChange> all;
    all.reserve(m_changes.size());
    for (auto& [handle, state] : std::exchange(m_changes, {}))
        all.push_back({handle, std::move(state)});
    return all;
}

} // namespace lk
