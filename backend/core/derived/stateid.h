// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// How a primitive is doing, in the terms of its kind. What it is called is stateWord()'s matter.
enum class StateId : quint8 {
    Unreadable, ///< of any kind
    LimiterIdle,
    LimitUnknown,
    GateClosed,
    GateOpen,
    Full,
    Filling,
    Normal,
    Held,
    Vote, ///< held on this server, of a lock that several servers hold together
    LockExpired,
    NoTtl,
    Free,
    Stuck,
    QueuePaused,
    Overdue, ///< delayed jobs are due, and nobody moves them
    DeadLetters,
    InProgress,
    Waiting,
    Delayed, ///< all there is comes later
    Empty,
    TokenLive,
    TokenUsed,
    NeverIssued,
    TokenExpired,
    CleanedUp,
    Revoked,
    Deleted,
    CacheBlocked,
    CacheRebuilding,
    Cached,
    NotCached,
    SessionLive,
    SessionEnded,
    Present,
    Absent,
};

StateId stateIdOf(const State& state);
/// Nothing is known that would make it well or not.
bool isUnknownState(StateId state);

} // namespace lk
