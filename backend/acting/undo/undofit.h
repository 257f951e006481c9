// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/libraries/api/plan.h"
#include "backend/redis/link.h"

#include <functional>

namespace lk {

/// Compares what undo plans expect with what is on the server now. Only reads; no more than what
/// the plans' keys hold, which is what undo kept of them. The handler gets those that would end as
/// a conflict, by their places in the list: a key that cannot be compared says nothing. Of several
/// steps on one key only the first is compared, since the others find what that one leaves. Comes
/// once, in the connection's thread; not if context is gone.
void findUnfitUndos(Link& connection, const std::vector<Plan>& plans, const ServerClock& clock,
                    const Clock& local, QObject* context,
                    std::function<void(Result<std::vector<size_t>>)> handler);

} // namespace lk
