// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/catalog/statetexts.h"

#include "backend/actions/action.h"
#include "backend/core/redactedname.h"

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
