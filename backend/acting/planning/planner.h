// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/planning/preflight.h"
#include "backend/core/clock.h"
#include "backend/libraries/api/action.h"
#include "backend/polling/derived/firstseen.h"
#include "backend/redis/link.h"

namespace lk {

/// The target of an action. The primitive is null for an action that creates one.
struct PlanTarget
{
    PrimitivePtr primitive;
    FirstSeen* firstSeen = nullptr; ///< knows how old items are; may be null. Outlives the planning
};

/// Reads the primitive again and whatever else the action needs, plans the action, and checks
/// within the known limits whether the server would run it. Only reads. Errors: BadArgument,
/// NotPossible, NoPerm, Replica, and the errors of reading.
Task<Result<Plan>> planAction(Link& connection, PlanTarget target, const Action& action,
                              ActionRequest request, ServerLimits limits, ServerClock clock,
                              const Clock& local, QObject* context);

} // namespace lk
