// SPDX-License-Identifier: GPL-3.0-or-later
// Locks and semaphores of libraries that keep their holders in a sorted set.
#include "backend/layouts/locks/semaphores/zsetlock.h"

#include "backend/layouts/locks/ownershape.h"
#include "backend/layouts/probe/valueshape.h"

#include <algorithm>

namespace lk {

namespace {

// 32 random bytes.
bool isBase64Of32(QByteArrayView text)
{
    return text.size() == 44 && text.endsWith('=') && text[42] != '=' &&
           std::all_of(text.begin(), text.end() - 1, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c == '+' || c == '/';
           });
}

// Sidekiq's: 12 random bytes.
bool isJobId(QByteArrayView text)
{
    return text.size() == 24 && isHex(text);
}

bool beginsWithUuid(QByteArrayView text)
{
    return text.size() >= 36 && isUuid(text.first(36));
}

bool isMachinePid(QByteArrayView text)
{
    return mayBe(OwnerForm::MachinePid, text) && ownerInfoOf(text, 0).form == OwnerForm::MachinePid;
}

// A holder of several permits is several members: "<uuid>_0", "<uuid>_1".
QByteArray withoutPermit(const QByteArray& member)
{
    const qsizetype at = member.lastIndexOf('_');
    bool number = false;
    member.mid(at + 1).toUInt(&number);
    return at >= 36 && number ? member.left(at) : member;
}

} // namespace

namespace layouts {

// redis-semaphore for Node.js, Semaphore and MultiSemaphore: lockTimeout is the lease of all.
const Layout& redisSemaphore()
{
    static const ZsetLock layout(
        {.id = "redis-semaphore",
         .title = QT_TRANSLATE_NOOP("lk::Layout", "redis-semaphore semaphore"),
         .score = ZsetLockRule::Score::Taken,
         .isMember = beginsWithUuid,
         .places = {"semaphore:"},
         .exclusive = {},
         .holderOf = withoutPermit});
    return layout;
}

// Symfony Lock from 5.2 on: several readers, or one writer beside the member "__write__".
const Layout& symfonyLock()
{
    static const ZsetLock layout({.id = "symfony-lock",
                                  .title = QT_TRANSLATE_NOOP("lk::Layout", "Symfony lock"),
                                  .isMember = isBase64Of32,
                                  .places = {},
                                  .ttlIsLastEnd = true,
                                  .exclusive = "__write__",
                                  .isLock = true});
    return layout;
}

// Sidekiq::Throttled: so many jobs of a class at a time.
const Layout& sidekiqThrottled()
{
    static const ZsetLock layout(
        {.id = "sidekiq-throttled",
         .title = QT_TRANSLATE_NOOP("lk::Layout", "Sidekiq::Throttled concurrency"),
         .unit = TimeUnit::Seconds,
         .isMember = isJobId,
         .places = {"throttled:"},
         .exclusive = {}});
    return layout;
}

// DistributedLock for .NET: the set stays three times as long as a lease.
const Layout& distributedSemaphore()
{
    static const ZsetLock layout(
        {.id = "distributedlock-net-semaphore",
         .title = QT_TRANSLATE_NOOP("lk::Layout", "DistributedLock semaphore (.NET)"),
         .isMember = isMachinePid,
         .places = {},
         .exclusive = {}});
    return layout;
}

} // namespace layouts

} // namespace lk
