// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/planning/preflight.h"
#include "backend/core/clock.h"
#include "backend/libraries/api/action.h"
#include "backend/polling/derived/firstseen.h"
#include "backend/redis/link.h"

#include <functional>

namespace lk {

using PlanHandler = std::function<void(Result<Plan>)>;

/// The target of an action. The primitive is null for an action that creates one.
struct PlanTarget
{
    PrimitivePtr primitive;
    FirstSeen* firstSeen = nullptr; ///< knows how old items are; may be null. Outlives the planning
};

/// Reads the primitive again and whatever else the action needs, plans the action, and checks
/// within the known limits whether the server would run it. Only reads. The handler is called once,
/// later, in the connection's thread; not if context is gone. Errors: BadArgument, NotPossible,
/// NoPerm, Replica, and the errors of reading.
void planAction(Link& connection, const PlanTarget& target, const Action& action,
                const ActionRequest& request, const ServerLimits& limits, const ServerClock& clock,
                const Clock& local, QObject* context, PlanHandler handler);

} // namespace lk
