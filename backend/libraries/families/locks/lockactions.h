// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

// Actions for locks and semaphores of any library.
namespace lk::actions {

// A string whose value is its owner.
const Action& releaseLock();
const Action& setLockTtl();
// Locks and semaphores that several owners may hold.
const Action& releaseMember();
const Action& releaseMembers();
const Action& releaseReaderWriter();
const Action& releaseSlot();
const Action& releaseToken();
const Action& releaseVotes();
const Action& releaseHash();
// A string whose value is the time of its own end.
const Action& clearTimestampLock();
const Action& takeOverTimestampLock();
const Action& setTimestampLockTtl();

} // namespace lk::actions
