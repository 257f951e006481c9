// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/action.h"

// The actions that layouts choose from; each says in action.h's terms what it is. Where a file of
// this folder has several, they share what they look at.
namespace lk::actions {

// lockactions.cpp: a string whose value is its owner.
const Action& releaseLock();
const Action& leaseLock();
// timestamplockactions.cpp: a string that holds the moment of its own end.
const Action& clearTimestampLock();
const Action& takeOverTimestampLock();
const Action& leaseTimestampLock();

// jobmoves.cpp: lists, consumers take from the right end; delayed jobs in a sorted set.
const Action& requeueItems();
const Action& dropItems();
const Action& buryItems();
const Action& unburyItems();
const Action& promoteItems();
// queueactions.cpp: lists.
const Action& pushItem();
const Action& rotateList();

// limiteractions.cpp
const Action& askLimiter();
const Action& clearLimiter();
const Action& capHorizon();
const Action& freeMarks();
const Action& freeCount();
const Action& repairCounter();
const Action& openGate();
// redissonactions.cpp
const Action& freeRedissonPermits();
const Action& repairRedissonValue();
const Action& setRedissonRate();

// tokenactions.cpp
const Action& issueToken();
const Action& validateToken();
const Action& consumeToken();
const Action& revokeToken();
const Action& extendToken();
const Action& sweepGhost();

// keyactions.cpp: any key of a primitive.
const Action& setTtl();
const Action& deleteKeys();

} // namespace lk::actions
