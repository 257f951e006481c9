// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/statetexts.h"

#include "backend/core/redactedname.h"
#include "backend/libraries/api/action.h"

namespace lk::actions {

QString nameOf(const State& state)
{
    return shownName(*state.primitive);
}

QString seenLimiter(const State& state)
{
    const auto* limiter = state.as<LimiterState>();
    if (!limiter || !limiter->occupancy)
        return ActionText::tr("not in use");
    return limiter->limit
               ? ActionText::tr("%1 of %2 used").arg(*limiter->occupancy).arg(*limiter->limit)
               : ActionText::tr("%1 used, limit unknown").arg(*limiter->occupancy);
}

} // namespace lk::actions
