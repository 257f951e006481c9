// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/monitor/heldsince.h"

#include <algorithm>
#include <cstdlib>

namespace lk {

namespace {

constexpr qint64 leaseJitterMs = 1000; // two reads of one lease differ by up to this

// Nothing shows a release in between: the lease is the same, or had not expired when it was seen
// again.
bool goesOn(const RecordedHold& hold, const State& state, const LockState& lock)
{
    if (!lock.ownerKnown || lock.owner.isEmpty() || lock.owner != hold.owner)
        return false;
    if (lock.phase == LockState::Phase::NoTtl)
        return hold.noTtl;
    if (!hold.leaseEndMs || !lock.leaseMs)
        return false;
    return std::abs(state.asOfMs + *lock.leaseMs - *hold.leaseEndMs) <= leaseJitterMs ||
           state.observed.firstSeenMs <= *hold.leaseEndMs;
}

} // namespace

void HeldSince::restore(const std::vector<RecordedHold>& holds)
{
    for (const RecordedHold& hold : holds)
        m_holds[hold.primitive].push_back(hold);
}

void HeldSince::apply(State& state)
{
    const auto* lock = state.as<LockState>();
    if (!lock || state.problem || m_holds.isEmpty())
        return;
    if (!m_holds.contains(state.primitive->id))
        return;
    const std::vector<RecordedHold> holds = m_holds.take(state.primitive->id);
    // If it changed hands since it was first seen, the recorded hold has ended.
    const bool isFirst = state.observed.sinceMs == state.observed.firstSeenMs;
    const bool held =
        lock->phase == LockState::Phase::Held || lock->phase == LockState::Phase::NoTtl;
    const auto hold = std::ranges::find_if(
        holds, [&](const RecordedHold& known) { return goesOn(known, state, *lock); });
    if (!held || !isFirst || hold == holds.end())
        return;
    state.observed.sinceMs = std::min(state.observed.sinceMs, hold->fromMs);
    state.observed.firstSeenMs = std::min(state.observed.firstSeenMs, hold->fromMs);
    state.observed.renewals += hold->renewals;
}

} // namespace lk
