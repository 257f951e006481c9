// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/action.h"

namespace lk {

class Layout;

/// The action of that name, as layouts name it: "lock.release", or its id with a variant after a
/// slash where two protocols have the same verb, "limiter.free/marks". Null if there is none.
const Action* actionNamed(const QByteArray& name);

/// All that can be done to a primitive of that layout: its own actions, then those for any key
/// unless its keys are its library's alone.
std::vector<const Action*> actionsFor(const Layout& layout);
/// The action of that id which the layout has; null if it has none.
const Action* findAction(const Layout& layout, const QByteArray& id);

} // namespace lk

// The actions themselves; each says in action.h's terms what it is. Where a file of this folder
// has several, they share what they look at. catalog.cpp gives each its name.
namespace lk::actions {

// lockactions.cpp: a string whose value is its owner.
const Action& releaseLock();
const Action& setLockTtl();
// holderactions.cpp: locks and semaphores that several may hold.
const Action& releaseMembers();
const Action& releaseReaderWriter();
const Action& releaseSlot();
const Action& releaseToken();
const Action& releaseVotes();
const Action& releaseHash();
// uniquejobaction.cpp
const Action& releaseDigest();
// redissonlockactions.cpp
const Action& releaseRedissonLock();
const Action& releaseRedissonPermit();
const Action& releaseRedissonCount();
// timestamplockactions.cpp: a string that holds the moment of its own end.
const Action& clearTimestampLock();
const Action& takeOverTimestampLock();
const Action& setTimestampLockTtl();

// jobmoves.cpp: lists, consumers take from the right end; delayed jobs in a sorted set.
const Action& requeueJobs();
const Action& discardJobs();
const Action& deadLetterJobs();
const Action& retryJobs();
const Action& promoteJobs();
// queueactions.cpp: lists.
const Action& pushItem();
const Action& rotateList();

// bullactions.cpp: job queues of BullMQ and Bull.
const Action& retryBullMqJobs();
const Action& promoteBullMqJobs();
const Action& requeueBullMqJobs();
const Action& discardBullMqJobs();
const Action& pauseBullMq();
const Action& resumeBullMq();
const Action& retryBullJobs();
const Action& promoteBullJobs();
const Action& requeueBullJobs();
const Action& discardBullJobs();
const Action& pauseBull();
const Action& resumeBull();
const Action& deadLetterBullMqJobs();
const Action& discardOldBullMqJobs();
const Action& addBullMqJob();
const Action& deadLetterBullJobs();
const Action& discardOldBullJobs();
const Action& addBullJob();
// goactions.cpp: job queues of asynq, gocraft/work and adjust/rmq.
const Action& retryAsynqJobs();
const Action& promoteAsynqJobs();
const Action& requeueAsynqJobs();
const Action& discardAsynqJobs();
const Action& archiveAsynqJobs();
const Action& discardOldAsynqJobs();
const Action& retryGocraftJobs();
const Action& promoteGocraftJobs();
const Action& requeueGocraftJobs();
const Action& discardGocraftJobs();
const Action& discardOldGocraftJobs();
const Action& returnRmqDeliveries();
// dramatiqactions.cpp
const Action& requeueDramatiqMessages();

// queues/: job queues of other libraries, a file for each.
const Action& retryRqJobs();
const Action& promoteRqJobs();
const Action& requeueRqJobs();
const Action& discardRqJobs();
const Action& deadLetterRqJobs();
const Action& discardOldRqJobs();
const Action& suspendRq();
const Action& resumeRq();
const Action& retrySidekiqJobs();
const Action& promoteSidekiqJobs();
const Action& requeueSidekiqJobs();
const Action& discardSidekiqJobs();
const Action& deadLetterSidekiqJobs();
const Action& discardOldSidekiqJobs();
const Action& promoteLaravelJobs();
const Action& requeueLaravelJobs();
const Action& discardLaravelJobs();
const Action& restoreCeleryTasks();
const Action& discardCeleryTasks();
const Action& requeueStreamEntries();
const Action& discardStreamEntries();
// asynqactions.cpp, plainpushes.cpp and pythonpushes.cpp: an operator's own job.
const Action& pushAsynqTask();
const Action& pauseAsynq();
const Action& resumeAsynq();
const Action& pushSidekiqJob();
const Action& pushLaravelJob();
const Action& pushGocraftJob();
const Action& pushRmqDelivery();
const Action& pushDramatiqMessage();
const Action& pushStreamEntry();
const Action& pushRqJob();
const Action& pushCeleryTask();

const Action& retryBeeJobs();
const Action& promoteBeeJobs();
const Action& requeueBeeJobs();
const Action& discardBeeJobs();
const Action& promoteRsmqMessages();
const Action& discardRsmqMessages();
const Action& retryKueJobs();
const Action& promoteKueJobs();
const Action& requeueKueJobs();
const Action& discardKueJobs();

const Action& retryResqueJobs();
const Action& requeueResqueJobs();
const Action& promoteResqueJobs();
const Action& discardResqueJobs();

const Action& retryGroupMqJobs();
const Action& promoteGroupMqJobs();
const Action& requeueGroupMqJobs();
const Action& discardGroupMqJobs();
const Action& pauseGroupMq();
const Action& resumeGroupMq();

// limiteractions.cpp
const Action& checkLimiter();
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
const Action& removeNeverIssued();

// keyactions.cpp: any key of a primitive.
const Action& setTtl();
const Action& deleteKeys();

} // namespace lk::actions
