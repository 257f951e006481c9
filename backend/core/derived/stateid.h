// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// The condition of a primitive, in the terms of its kind. stateWord() returns its text.
enum class StateId : quint8 {
    Unreadable, ///< for every kind
    LimiterIdle,
    LimitUnknown,
    GateClosed,
    GateOpen,
    Full,
    Filling,
    Normal,
    Held,
    Vote, ///< held on this server, for a lock held on several servers
    LockExpired,
    NoTtl,
    Free,
    Stuck,
    QueuePaused,
    Overdue, ///< delayed jobs are due, and no client moves them
    DeadLetters,
    InProgress,
    Waiting,
    Delayed, ///< all jobs are delayed
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
/// True if too little is known to judge the state.
bool isUnknownState(StateId state);

} // namespace lk
