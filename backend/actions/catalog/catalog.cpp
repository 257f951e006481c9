// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/catalog/catalog.h"

#include "backend/layouts/layout.h"

#include <algorithm>

namespace lk {

namespace {

struct Entry
{
    const char* name;
    const Action& (*action)();
};

// Every action there is, under the name by which layouts choose it.
constexpr Entry entries[] = {
    {"lock.release", actions::releaseLock},
    {"lock.release/members", actions::releaseMembers},
    {"lock.release/reader-writer", actions::releaseReaderWriter},
    {"lock.release/slot", actions::releaseSlot},
    {"lock.release/token", actions::releaseToken},
    {"lock.release/votes", actions::releaseVotes},
    {"lock.release/hash", actions::releaseHash},
    {"lock.release/digest", actions::releaseDigest},
    {"lock.release/redisson", actions::releaseRedissonLock},
    {"lock.release/permit", actions::releaseRedissonPermit},
    {"lock.release/count", actions::releaseRedissonCount},
    {"lock.ttl", actions::setLockTtl},
    {"lock.clear", actions::clearTimestampLock},
    {"lock.takeover", actions::takeOverTimestampLock},
    {"lock.ttl/timestamp", actions::setTimestampLockTtl},
    {"queue.requeue", actions::requeueJobs},
    {"queue.discard", actions::discardJobs},
    {"queue.dead-letter", actions::deadLetterJobs},
    {"queue.retry", actions::retryJobs},
    {"queue.promote", actions::promoteJobs},
    {"queue.push", actions::pushItem},
    {"queue.rotate", actions::rotateList},
    {"queue.retry/bullmq", actions::retryBullMqJobs},
    {"queue.promote/bullmq", actions::promoteBullMqJobs},
    {"queue.requeue/bullmq", actions::requeueBullMqJobs},
    {"queue.discard/bullmq", actions::discardBullMqJobs},
    {"queue.pause/bullmq", actions::pauseBullMq},
    {"queue.resume/bullmq", actions::resumeBullMq},
    {"queue.dead-letter/bullmq", actions::deadLetterBullMqJobs},
    {"queue.discard-old/bullmq", actions::discardOldBullMqJobs},
    {"queue.push/bullmq", actions::addBullMqJob},
    {"queue.retry/bull", actions::retryBullJobs},
    {"queue.promote/bull", actions::promoteBullJobs},
    {"queue.requeue/bull", actions::requeueBullJobs},
    {"queue.discard/bull", actions::discardBullJobs},
    {"queue.pause/bull", actions::pauseBull},
    {"queue.resume/bull", actions::resumeBull},
    {"queue.dead-letter/bull", actions::deadLetterBullJobs},
    {"queue.discard-old/bull", actions::discardOldBullJobs},
    {"queue.push/bull", actions::addBullJob},
    {"queue.retry/rq", actions::retryRqJobs},
    {"queue.promote/rq", actions::promoteRqJobs},
    {"queue.requeue/rq", actions::requeueRqJobs},
    {"queue.discard/rq", actions::discardRqJobs},
    {"queue.dead-letter/rq", actions::deadLetterRqJobs},
    {"queue.discard-old/rq", actions::discardOldRqJobs},
    {"queue.push/rq", actions::pushRqJob},
    {"queue.pause/rq", actions::suspendRq},
    {"queue.resume/rq", actions::resumeRq},
    {"queue.retry/sidekiq", actions::retrySidekiqJobs},
    {"queue.promote/sidekiq", actions::promoteSidekiqJobs},
    {"queue.requeue/sidekiq", actions::requeueSidekiqJobs},
    {"queue.discard/sidekiq", actions::discardSidekiqJobs},
    {"queue.dead-letter/sidekiq", actions::deadLetterSidekiqJobs},
    {"queue.discard-old/sidekiq", actions::discardOldSidekiqJobs},
    {"queue.push/sidekiq", actions::pushSidekiqJob},
    {"queue.promote/laravel", actions::promoteLaravelJobs},
    {"queue.requeue/laravel", actions::requeueLaravelJobs},
    {"queue.discard/laravel", actions::discardLaravelJobs},
    {"queue.push/laravel", actions::pushLaravelJob},
    {"queue.requeue/celery", actions::restoreCeleryTasks},
    {"queue.discard/celery", actions::discardCeleryTasks},
    {"queue.push/celery", actions::pushCeleryTask},
    {"queue.requeue/stream", actions::requeueStreamEntries},
    {"queue.discard/stream", actions::discardStreamEntries},
    {"queue.push/stream", actions::pushStreamEntry},
    {"queue.retry/asynq", actions::retryAsynqJobs},
    {"queue.promote/asynq", actions::promoteAsynqJobs},
    {"queue.requeue/asynq", actions::requeueAsynqJobs},
    {"queue.discard/asynq", actions::discardAsynqJobs},
    {"queue.dead-letter/asynq", actions::archiveAsynqJobs},
    {"queue.discard-old/asynq", actions::discardOldAsynqJobs},
    {"queue.push/asynq", actions::pushAsynqTask},
    {"queue.pause/asynq", actions::pauseAsynq},
    {"queue.resume/asynq", actions::resumeAsynq},
    {"queue.retry/gocraft", actions::retryGocraftJobs},
    {"queue.promote/gocraft", actions::promoteGocraftJobs},
    {"queue.requeue/gocraft", actions::requeueGocraftJobs},
    {"queue.discard/gocraft", actions::discardGocraftJobs},
    {"queue.discard-old/gocraft", actions::discardOldGocraftJobs},
    {"queue.push/gocraft", actions::pushGocraftJob},
    {"queue.requeue/rmq", actions::returnRmqDeliveries},
    {"queue.push/rmq", actions::pushRmqDelivery},
    {"queue.requeue/dramatiq", actions::requeueDramatiqMessages},
    {"queue.push/dramatiq", actions::pushDramatiqMessage},
    {"queue.retry/bee-queue", actions::retryBeeJobs},
    {"queue.promote/bee-queue", actions::promoteBeeJobs},
    {"queue.requeue/bee-queue", actions::requeueBeeJobs},
    {"queue.discard/bee-queue", actions::discardBeeJobs},
    {"queue.promote/rsmq", actions::promoteRsmqMessages},
    {"queue.discard/rsmq", actions::discardRsmqMessages},
    {"queue.retry/resque", actions::retryResqueJobs},
    {"queue.requeue/resque", actions::requeueResqueJobs},
    {"queue.promote/resque", actions::promoteResqueJobs},
    {"queue.discard/resque", actions::discardResqueJobs},
    {"queue.retry/kue", actions::retryKueJobs},
    {"queue.promote/kue", actions::promoteKueJobs},
    {"queue.requeue/kue", actions::requeueKueJobs},
    {"queue.discard/kue", actions::discardKueJobs},
    {"queue.retry/groupmq", actions::retryGroupMqJobs},
    {"queue.promote/groupmq", actions::promoteGroupMqJobs},
    {"queue.requeue/groupmq", actions::requeueGroupMqJobs},
    {"queue.discard/groupmq", actions::discardGroupMqJobs},
    {"queue.pause/groupmq", actions::pauseGroupMq},
    {"queue.resume/groupmq", actions::resumeGroupMq},
    {"limiter.check", actions::checkLimiter},
    {"limiter.clear", actions::clearLimiter},
    {"limiter.cap", actions::capHorizon},
    {"limiter.free/marks", actions::freeMarks},
    {"limiter.free/count", actions::freeCount},
    {"limiter.repair/counter", actions::repairCounter},
    {"limiter.open", actions::openGate},
    {"limiter.free/redisson", actions::freeRedissonPermits},
    {"limiter.repair/redisson", actions::repairRedissonValue},
    {"limiter.rate", actions::setRedissonRate},
    {"token.issue", actions::issueToken},
    {"token.validate", actions::validateToken},
    {"token.consume", actions::consumeToken},
    {"token.revoke", actions::revokeToken},
    {"token.extend", actions::extendToken},
    {"token.cleanup", actions::removeNeverIssued},
    {"key.ttl", actions::setTtl},
    {"key.delete", actions::deleteKeys},
};

} // namespace

const Action* actionNamed(const QByteArray& name)
{
    const auto entry = std::find_if(std::begin(entries), std::end(entries),
                                    [&](const Entry& e) { return name == e.name; });
    return entry == std::end(entries) ? nullptr : &entry->action();
}

std::vector<const Action*> actionsFor(const Layout& layout)
{
    std::vector<const Action*> all;
    for (const QByteArray& name : layout.actions()) {
        const Action* action = actionNamed(name);
        Q_ASSERT_X(action, "actionsFor", name.constData());
        if (action)
            all.push_back(action);
    }
    if (layout.allowsKeyActions()) {
        all.push_back(&actions::setTtl());
        all.push_back(&actions::deleteKeys());
    }
    return all;
}

const Action* findAction(const Layout& layout, const QByteArray& id)
{
    for (const Action* action : actionsFor(layout)) {
        if (action->id() == id)
            return action;
    }
    return nullptr;
}

} // namespace lk
