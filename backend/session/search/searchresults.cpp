// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/search/searchresults.h"

namespace lk {

Allowance allowanceOf(const LimiterState& limiter)
{
    const bool told = limiter.retryAfterMs.value_or(0) > 0;
    Allowance allowance{limiter.occupancy, limiter.limit, limiter.nextFreeMs, false};
    allowance.refuses = limiter.remaining ? *limiter.remaining == 0 : told;
    if (!allowance.freeInMs && limiter.retryAfterMs)
        allowance.freeInMs = limiter.retryAfterMs;
    return allowance;
}

Allowance allowanceOf(const Consumer& consumer)
{
    return {consumer.occupancy, consumer.limit, consumer.nextFreeMs,
            consumer.limit && consumer.occupancy >= *consumer.limit};
}

} // namespace lk
