// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/libraries/api/plan.h"
#include "backend/redis/link.h"

#include <functional>

namespace lk {

/// Compares the state that undo plans expect with the server's. Only reads, and only the plans'
/// keys. The handler receives the places in the list of the plans that would end as a conflict; a
/// key that cannot be compared is no conflict. If several steps concern one key, only the first is
/// compared, since the others depend on its result. The handler is called once, in the connection's
/// thread; not if context is gone.
void findUnfitUndos(Link& connection, const std::vector<Plan>& plans, const ServerClock& clock,
                    const Clock& local, QObject* context,
                    std::function<void(Result<std::vector<size_t>>)> handler);

} // namespace lk
