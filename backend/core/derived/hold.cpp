// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/derived/hold.h"

#include <algorithm>
#include <cstdlib>

namespace lk {

namespace {

constexpr qint64 reconnectJitterMs = 1000; // clocks are compared anew by each connection

}

void Hold::see(const PresentHolder& holder, const State& now, const LockState& lock,
               qint64 jitterMs)
{
    const std::optional<qint64> endMs =
        holder.leaseMs ? std::optional(now.asOfMs + *holder.leaseMs) : std::nullopt;
    // Renewals are observed for the whole lock, so they do not apply to one of several holders.
    if (isExclusive(lock))
        renewals = now.observed.renewals;
    else if (leaseEndMs && endMs && *endMs > *leaseEndMs + jitterMs)
        ++renewals;
    toMs = now.asOfMs;
    leaseEndMs = endMs;
    noTtl = lock.phase == LockState::Phase::NoTtl;
}

void Hold::close(qint64 seenMs)
{
    open = false;
    toMs = std::max(fromMs, leaseEndMs ? std::min(*leaseEndMs, seenMs) : seenMs);
}

bool Hold::goesOn(const PresentHolder& holder, const State& now, const LockState& lock,
                  qint64 seenMs) const
{
    if (holder.owner.isEmpty() || owner != holder.owner)
        return false;
    if (lock.phase == LockState::Phase::NoTtl)
        return noTtl;
    if (!leaseEndMs || !holder.leaseMs)
        return !leaseEndMs && !holder.leaseMs;
    return hasSameLease(holder, now.asOfMs, reconnectJitterMs) || seenMs <= *leaseEndMs;
}

bool Hold::hasSameLease(const PresentHolder& holder, qint64 atMs, qint64 jitterMs) const
{
    return leaseEndMs && holder.leaseMs &&
           std::abs(atMs + *holder.leaseMs - *leaseEndMs) <= jitterMs;
}

} // namespace lk
