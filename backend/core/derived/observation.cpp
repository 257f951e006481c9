// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/derived/observation.h"

#include "backend/core/derived/patternfigures.h"

#include <algorithm>

namespace lk {

namespace {

// A lease counts as renewed if it is longer than expected by more than this. A smaller difference
// is measurement jitter.
constexpr qint64 renewalSlackMs = 150;
// A lease is renewed late if less than a fourth of it is left.
constexpr qint64 lateShare = 4;
// A key that disappears this close to its end has expired. Earlier, a client has deleted it.
constexpr qint64 expirySlackMs = 400;

// A lock whose lease had ended and that has time left again was taken over.
bool sameHolder(const LockState& now, const LockState& before)
{
    using Phase = LockState::Phase;
    if (now.phase == Phase::Free || before.phase == Phase::Free)
        return now.phase == before.phase;
    const bool takenOver = before.phase == Phase::Expired && now.phase != Phase::Expired;
    return !takenOver && now.owner == before.owner;
}

void observeLock(State& state, const LockState& lock, const State& previous,
                 const LockState& before)
{
    if (!sameHolder(lock, before)) {
        state.observed.sinceMs = state.asOfMs;
        state.observed.renewals = 0;
        state.observed.largestTtlMs = lock.leaseMs.value_or(0);
        state.observed.leastLeftMs = 0;
        return;
    }
    if (!lock.leaseMs || !before.leaseMs || lock.phase == LockState::Phase::Expired)
        return;
    Observed& observed = state.observed;
    const qint64 expected = *before.leaseMs - (state.asOfMs - previous.asOfMs);
    if (*lock.leaseMs > expected + renewalSlackMs) {
        ++observed.renewals;
        observed.largestTtlMs = *lock.leaseMs;
        if (expected > 0)
            observed.leastLeftMs =
                observed.leastLeftMs > 0 ? std::min(observed.leastLeftMs, expected) : expected;
    }
    // A missed renewal causes no write, so the state is read again when one is overdue.
    const qint64 lateMs = *lock.leaseMs - observed.largestTtlMs / lateShare;
    if (observed.renewals > 1 && lateMs > 0) {
        const qint64 atMs = state.asOfMs + lateMs + 1;
        state.revisitAtMs = state.revisitAtMs > 0 ? std::min(state.revisitAtMs, atMs) : atMs;
    }
}

// Counts a TTL that grew while refused calls were counted. No call passed in between, or the count
// would have restarted.
void observeGate(State& state, const LimiterState& gate, const State& previous,
                 const LimiterState& before)
{
    if (!state.present || !previous.present || !gate.refused || !before.refused ||
        *gate.refused < *before.refused) {
        state.observed.renewals = 0;
        return;
    }
    if (!state.ttlMs || !previous.ttlMs || *gate.refused == *before.refused)
        return;
    const qint64 expected = *previous.ttlMs - (state.asOfMs - previous.asOfMs);
    if (expected > 0 && *state.ttlMs > expected + renewalSlackMs)
        ++state.observed.renewals;
}

void observeLimiter(State& state, const LimiterState& limiter, const State& previous)
{
    const auto* before = previous.as<LimiterState>();
    if (limiter.algorithm == Algorithm::Gate && before)
        observeGate(state, limiter, previous, *before);
    if (!state.present || limiter.remaining != 0) {
        state.observed.fullSinceMs = 0;
        state.observed.fullSamples = 0;
        return;
    }
    if (state.observed.fullSamples++ == 0)
        state.observed.fullSinceMs = state.asOfMs;
}

bool hasGrown(std::optional<qint64> beforeMs, std::optional<qint64> nowMs, qint64 elapsedMs)
{
    return beforeMs && nowMs && *nowMs > *beforeMs - elapsedMs + renewalSlackMs;
}

// Counts leases of the lock beside a cache that ended without a stored value: the owner may still
// be at work. A cache counts as stored if it appears, has no TTL, or its TTL grows.
void observeRebuild(State& state, const PatternState& cache, const State& previous,
                    const PatternState& before)
{
    const auto isThere = [](const PatternState& p) { return mainNumber(p).value_or(0) > 0; };
    const qint64 elapsedMs = state.asOfMs - previous.asOfMs;
    if (isThere(cache) &&
        (!isThere(before) || !state.ttlMs || hasGrown(previous.ttlMs, state.ttlMs, elapsedMs))) {
        state.observed.renewals = 0;
        return;
    }
    const bool ranOut = cache.lock == LockState::Phase::Free && before.lockLeaseMs &&
                        *before.lockLeaseMs <= elapsedMs + expirySlackMs;
    const bool another =
        before.lockHolder != 0 && cache.lockHolder != 0 && cache.lockHolder != before.lockHolder;
    if (ranOut || another)
        ++state.observed.renewals;
}

void observeQueue(State& state, QueueState& queue, const QueueState& before)
{
    if (before.paused != queue.paused)
        state.observed.sinceMs = state.asOfMs;
    if (queue.paused && !queue.pausedSinceMs)
        queue.pausedSinceMs = before.paused ? before.pausedSinceMs : std::optional(state.asOfMs);
}

void observeToken(State& state, TokenState& token, const State& previous, const TokenState& before)
{
    if (token.phase != TokenState::Phase::Gone)
        return;
    if (before.phase == TokenState::Phase::Gone) {
        token.end = before.end;
        token.uses = before.uses;
        return;
    }
    token.uses = before.uses;
    const bool expired =
        previous.ttlMs && *previous.ttlMs <= state.asOfMs - previous.asOfMs + expirySlackMs;
    // A live token that is deleted may have been redeemed or revoked: Redis does not report which.
    token.end = before.phase == TokenState::Phase::Used          ? TokenState::End::Consumed
                : before.phase == TokenState::Phase::NeverIssued ? TokenState::End::Removed
                : expired                                        ? TokenState::End::Expired
                                                                 : TokenState::End::Gone;
}

} // namespace

void observe(State& state, const State* previous)
{
    if (!previous) {
        state.observed.firstSeenMs = state.asOfMs;
        state.observed.sinceMs = state.present ? state.asOfMs : 0;
        if (const auto* lock = state.as<LockState>())
            state.observed.largestTtlMs = lock->leaseMs.value_or(0);
        return;
    }
    state.observed = previous->observed;
    if (const auto* lock = state.as<LockState>()) {
        if (const auto* before = previous->as<LockState>())
            observeLock(state, *lock, *previous, *before);
    } else if (state.present != previous->present) {
        state.observed.sinceMs = state.asOfMs;
    }
    if (auto* queue = state.body.find<QueueState>()) {
        if (const auto* before = previous->as<QueueState>())
            observeQueue(state, *queue, *before);
    }
    if (const auto* limiter = state.as<LimiterState>(); limiter && !state.problem)
        observeLimiter(state, *limiter, *previous);
    if (const auto* pattern = state.as<PatternState>(); pattern && pattern->lock) {
        if (const auto* before = previous->as<PatternState>())
            observeRebuild(state, *pattern, *previous, *before);
    }
    if (auto* token = state.body.find<TokenState>()) {
        if (const auto* before = previous->as<TokenState>())
            observeToken(state, *token, *previous, *before);
    }
}

} // namespace lk
