// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/task.h"
#include "backend/libraries/api/plan.h"
#include "backend/redis/link.h"

namespace lk {

/// Compares the state that undo plans expect with the server's. Only reads, and only the plans'
/// keys. Returns, later, the places in the list of the plans that would end as a conflict; a key
/// that cannot be compared is no conflict. If several steps concern one key, only the first is
/// compared, since the others depend on its result.
Task<Result<std::vector<size_t>>> findUnfitUndos(Link& connection, std::vector<Plan> plans,
                                                 ServerClock clock, const Clock& local,
                                                 QObject* context);

} // namespace lk
