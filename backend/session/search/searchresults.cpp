// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/search/searchresults.h"

namespace lk {

using Verdict = Allowance::Verdict;

Allowance allowanceOf(const LimiterState& limiter)
{
    const auto verdict = [&] {
        if (limiter.remaining)
            return *limiter.remaining == 0 ? Verdict::Refuses : Verdict::Passes;
        if (limiter.retryAfterMs.value_or(0) > 0) // the limiter reports it
            return Verdict::Refuses;
        // If an upper bound is below the limit, the use is, too.
        const bool passes = limiter.occupancy == 0 || (limiter.limit && limiter.occupancy &&
                                                       *limiter.occupancy < *limiter.limit);
        return passes ? Verdict::Passes : Verdict::Unknown;
    };
    Allowance allowance{limiter.occupancy, limiter.limit, limiter.nextFreeMs, verdict()};
    if (!allowance.freeInMs && limiter.retryAfterMs)
        allowance.freeInMs = limiter.retryAfterMs;
    return allowance;
}

Allowance allowanceOf(const Consumer& consumer)
{
    const bool full = consumer.limit && consumer.occupancy >= *consumer.limit;
    const bool passes = consumer.occupancy == 0 || consumer.limit;
    return {consumer.occupancy, consumer.limit, consumer.nextFreeMs,
            full     ? Verdict::Refuses
            : passes ? Verdict::Passes
                     : Verdict::Unknown};
}

} // namespace lk
