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
    {"lock.release/digest", actions::releaseDigest},
    {"lock.release/redisson", actions::releaseRedissonLock},
    {"lock.release/permit", actions::releaseRedissonPermit},
    {"lock.release/count", actions::releaseRedissonCount},
    {"lock.lease", actions::leaseLock},
    {"lock.clear", actions::clearTimestampLock},
    {"lock.takeover", actions::takeOverTimestampLock},
    {"lock.lease/timestamp", actions::leaseTimestampLock},
    {"queue.requeue", actions::requeueItems},
    {"queue.drop", actions::dropItems},
    {"queue.bury", actions::buryItems},
    {"queue.unbury", actions::unburyItems},
    {"queue.promote", actions::promoteItems},
    {"queue.push", actions::pushItem},
    {"queue.rotate", actions::rotateList},
    {"queue.retry/bullmq", actions::retryBullMqJobs},
    {"queue.promote/bullmq", actions::promoteBullMqJobs},
    {"queue.requeue/bullmq", actions::requeueBullMqJobs},
    {"queue.remove/bullmq", actions::removeBullMqJobs},
    {"queue.pause/bullmq", actions::pauseBullMq},
    {"queue.resume/bullmq", actions::resumeBullMq},
    {"queue.bury/bullmq", actions::buryBullMqJobs},
    {"queue.clean/bullmq", actions::cleanBullMqJobs},
    {"queue.push/bullmq", actions::addBullMqJob},
    {"queue.retry/bull", actions::retryBullJobs},
    {"queue.promote/bull", actions::promoteBullJobs},
    {"queue.requeue/bull", actions::requeueBullJobs},
    {"queue.remove/bull", actions::removeBullJobs},
    {"queue.pause/bull", actions::pauseBull},
    {"queue.resume/bull", actions::resumeBull},
    {"queue.bury/bull", actions::buryBullJobs},
    {"queue.clean/bull", actions::cleanBullJobs},
    {"queue.push/bull", actions::addBullJob},
    {"queue.retry/rq", actions::retryRqJobs},
    {"queue.promote/rq", actions::promoteRqJobs},
    {"queue.requeue/rq", actions::requeueRqJobs},
    {"queue.remove/rq", actions::removeRqJobs},
    {"queue.bury/rq", actions::buryRqJobs},
    {"queue.clean/rq", actions::cleanRqJobs},
    {"queue.push/rq", actions::pushRqJob},
    {"queue.pause/rq", actions::suspendRq},
    {"queue.resume/rq", actions::resumeRq},
    {"queue.retry/sidekiq", actions::retrySidekiqJobs},
    {"queue.promote/sidekiq", actions::promoteSidekiqJobs},
    {"queue.requeue/sidekiq", actions::requeueSidekiqJobs},
    {"queue.remove/sidekiq", actions::removeSidekiqJobs},
    {"queue.bury/sidekiq", actions::burySidekiqJobs},
    {"queue.clean/sidekiq", actions::cleanSidekiqJobs},
    {"queue.push/sidekiq", actions::pushSidekiqJob},
    {"queue.promote/laravel", actions::promoteLaravelJobs},
    {"queue.requeue/laravel", actions::requeueLaravelJobs},
    {"queue.remove/laravel", actions::removeLaravelJobs},
    {"queue.push/laravel", actions::pushLaravelJob},
    {"queue.requeue/celery", actions::restoreCeleryTasks},
    {"queue.remove/celery", actions::dropCeleryTasks},
    {"queue.push/celery", actions::pushCeleryTask},
    {"queue.requeue/stream", actions::claimStreamEntries},
    {"queue.remove/stream", actions::dropStreamEntries},
    {"queue.push/stream", actions::pushStreamEntry},
    {"queue.retry/asynq", actions::retryAsynqJobs},
    {"queue.promote/asynq", actions::promoteAsynqJobs},
    {"queue.requeue/asynq", actions::requeueAsynqJobs},
    {"queue.remove/asynq", actions::removeAsynqJobs},
    {"queue.bury/asynq", actions::archiveAsynqJobs},
    {"queue.clean/asynq", actions::cleanAsynqJobs},
    {"queue.push/asynq", actions::pushAsynqTask},
    {"queue.pause/asynq", actions::pauseAsynq},
    {"queue.resume/asynq", actions::resumeAsynq},
    {"queue.retry/gocraft", actions::retryGocraftJobs},
    {"queue.promote/gocraft", actions::promoteGocraftJobs},
    {"queue.requeue/gocraft", actions::requeueGocraftJobs},
    {"queue.remove/gocraft", actions::removeGocraftJobs},
    {"queue.clean/gocraft", actions::cleanGocraftJobs},
    {"queue.push/gocraft", actions::pushGocraftJob},
    {"queue.requeue/rmq", actions::returnRmqDeliveries},
    {"queue.push/rmq", actions::pushRmqDelivery},
    {"queue.requeue/dramatiq", actions::requeueDramatiqMessages},
    {"queue.push/dramatiq", actions::pushDramatiqMessage},
    {"queue.retry/bee-queue", actions::retryBeeJobs},
    {"queue.promote/bee-queue", actions::promoteBeeJobs},
    {"queue.requeue/bee-queue", actions::requeueBeeJobs},
    {"queue.remove/bee-queue", actions::removeBeeJobs},
    {"queue.promote/rsmq", actions::promoteRsmqMessages},
    {"queue.remove/rsmq", actions::removeRsmqMessages},
    {"queue.retry/resque", actions::retryResqueJobs},
    {"queue.requeue/resque", actions::requeueResqueJobs},
    {"queue.promote/resque", actions::promoteResqueJobs},
    {"queue.remove/resque", actions::removeResqueJobs},
    {"queue.retry/kue", actions::retryKueJobs},
    {"queue.promote/kue", actions::promoteKueJobs},
    {"queue.requeue/kue", actions::requeueKueJobs},
    {"queue.remove/kue", actions::removeKueJobs},
    {"queue.retry/groupmq", actions::retryGroupMqJobs},
    {"queue.promote/groupmq", actions::promoteGroupMqJobs},
    {"queue.requeue/groupmq", actions::requeueGroupMqJobs},
    {"queue.remove/groupmq", actions::removeGroupMqJobs},
    {"queue.pause/groupmq", actions::pauseGroupMq},
    {"queue.resume/groupmq", actions::resumeGroupMq},
    {"limiter.ask", actions::askLimiter},
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
    {"token.sweep", actions::removeNeverIssued},
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
