// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/derived/agedstate.h"

#include <algorithm>

namespace lk {

namespace {

template<typename Ms>
void lessen(Ms& leftMs, qint64 byMs) // a field of a state, or of one of its items
{
    if (leftMs && *leftMs > 0)
        leftMs = std::max<qint64>(0, *leftMs - byMs);
}

void lengthen(std::optional<qint64>& ageMs, qint64 byMs)
{
    if (ageMs)
        ageMs = *ageMs + byMs;
}

void age(LimiterState& limiter, qint64 byMs)
{
    lessen(limiter.nextFreeMs, byMs);
    lessen(limiter.retryAfterMs, byMs);
    for (Consumer& consumer : limiter.consumers)
        lessen(consumer.nextFreeMs, byMs);
}

void age(LockState& lock, qint64 byMs)
{
    lessen(lock.leaseMs, byMs);
    for (LockHolder& holder : lock.holders)
        lessen(holder.leaseMs, byMs);
    for (LockWaiter& waiter : lock.waiting)
        lessen(waiter.leftMs, byMs);
}

void age(QueueState& queue, qint64 byMs)
{
    lengthen(queue.oldestReadyMs, byMs);
    lengthen(queue.oldestProcessingMs, byMs);
}

void age(TokenState&, qint64) {}

void age(PatternState& pattern, qint64 byMs)
{
    lessen(pattern.lockLeaseMs, byMs);
}

} // namespace

StatePtr agedState(const StatePtr& state, qint64 nowMs)
{
    const qint64 byMs = nowMs - state->asOfMs;
    if (byMs <= 0)
        return state;
    auto aged = std::make_shared<State>(*state);
    aged->asOfMs = nowMs;
    lessen(aged->ttlMs, byMs);
    aged->body.visit([byMs](auto& body) { age(body, byMs); });
    return aged;
}

int driftOf(Kind kind, QByteArrayView metric)
{
    switch (kind) {
    case Kind::Limiter:
        return metric == "retry" || metric == "free" ? -1 : 0;
    case Kind::Lock:
        return metric == "lease" ? -1 : 0;
    case Kind::Queue:
        return metric == "oldest" ? 1 : 0;
    case Kind::Token:
    case Kind::Pattern:
        return metric == "ttl" ? -1 : 0;
    }
    return 0;
}

bool runsWithTime(const State& state)
{
    if (state.ttlMs.value_or(0) > 0 || state.observed.sinceMs > 0)
        return true;
    const auto* queue = state.as<QueueState>();
    return queue && (queue->oldestReadyMs || queue->oldestProcessingMs);
}

} // namespace lk
