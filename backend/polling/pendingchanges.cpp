// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/pendingchanges.h"

#include <utility>

namespace lk {

void PendingChanges::set(Handle handle, StatePtr state)
{
    const auto [change, isFirst] = m_changes.try_emplace(handle);
    if (!isFirst && !change->second)
        m_reused.push_back(handle);
    change->second = std::move(state);
}

std::vector<StateChange> PendingChanges::take()
{
    std::vector<StateChange> all;
    all.reserve(m_reused.size() + m_changes.size());
    for (const Handle handle : std::exchange(m_reused, {}))
        all.push_back({handle, nullptr});
    for (auto& [handle, state] : std::exchange(m_changes, {}))
        all.push_back({handle, std::move(state)});
    return all;
}

} // namespace lk
