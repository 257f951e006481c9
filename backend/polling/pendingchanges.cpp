// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/pendingchanges.h"

#include <utility>

namespace lk {

std::vector<StateChange> PendingChanges::take()
{
    std::vector<StateChange> all;
    all.reserve(m_changes.size());
    for (auto& [handle, pending] : std::exchange(m_changes, {}))
        all.push_back({handle, std::move(pending.state), std::move(pending.kept)});
    return all;
}

} // namespace lk
