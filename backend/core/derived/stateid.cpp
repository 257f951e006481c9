// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/derived/stateid.h"

namespace lk {

namespace {

StateId limiterId(const State& state, const LimiterState& s)
{
    if (!state.present || s.occupancy == 0)
        return StateId::LimiterIdle;
    if (!s.limit)
        return StateId::LimitUnknown;
    if (s.algorithm == Algorithm::Gate)
        return s.remaining == 0 ? StateId::GateClosed : StateId::GateOpen;
    if (s.remaining == 0)
        return StateId::Full;
    return *s.occupancy * 2 >= *s.limit ? StateId::Filling : StateId::Normal;
}

StateId lockId(const LockState& s)
{
    switch (s.phase) {
    case LockState::Phase::Held:
        return *s.partOf == redlockPart ? StateId::Vote : StateId::Held;
    case LockState::Phase::Expired:
        return StateId::LockExpired;
    case LockState::Phase::NoTtl:
        return StateId::NoTtl;
    case LockState::Phase::Free:
        break;
    }
    return StateId::Free;
}

StateId queueId(const QueueState& s)
{
    if (s.stuck > 0)
        return StateId::Stuck;
    if (s.paused)
        return StateId::QueuePaused;
    if (s.due.overdue.value_or(0) > 0)
        return StateId::Overdue;
    if (s.dead.value_or(0) > 0)
        return StateId::DeadLetters;
    if (s.processing.value_or(0) > 0)
        return StateId::InProgress;
    if (waitingJobs(s).value_or(0) > 0)
        return StateId::Waiting;
    return s.delayed.value_or(0) > 0 ? StateId::Delayed : StateId::Empty;
}

StateId tokenId(const TokenState& s)
{
    switch (s.phase) {
    case TokenState::Phase::Live:
        return StateId::TokenLive;
    case TokenState::Phase::Used:
        return StateId::TokenUsed;
    case TokenState::Phase::NeverIssued:
        return StateId::NeverIssued;
    case TokenState::Phase::Gone:
        break;
    }
    switch (s.end) {
    case TokenState::End::Expired:
        return StateId::TokenExpired;
    case TokenState::End::Removed:
        return StateId::CleanedUp;
    case TokenState::End::Consumed:
        return StateId::TokenUsed;
    case TokenState::End::Revoked:
        return StateId::Revoked;
    case TokenState::End::Gone:
        break;
    }
    return StateId::Deleted;
}

StateId patternId(const State& state, const PatternState& s)
{
    if (s.lock == LockState::Phase::NoTtl)
        return StateId::CacheBlocked;
    if (s.lock == LockState::Phase::Held)
        return StateId::CacheRebuilding;
    switch (s.rowsAre) {
    case PatternState::Rows::Results:
        return state.present ? StateId::Cached : StateId::NotCached;
    case PatternState::Rows::Trail:
        return state.present ? StateId::SessionLive : StateId::SessionEnded;
    default:
        return state.present ? StateId::Present : StateId::Absent;
    }
}

} // namespace

StateId stateIdOf(const State& state)
{
    if (state.problem)
        return StateId::Unreadable;
    if (const auto* s = state.as<LimiterState>())
        return limiterId(state, *s);
    if (const auto* s = state.as<LockState>())
        return lockId(*s);
    if (const auto* s = state.as<QueueState>())
        return queueId(*s);
    if (const auto* s = state.as<TokenState>())
        return tokenId(*s);
    return patternId(state, state.body.get<PatternState>());
}

bool isUnknownState(StateId state)
{
    return state == StateId::LimitUnknown || state == StateId::Vote;
}

} // namespace lk
