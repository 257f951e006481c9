// SPDX-License-Identifier: GPL-3.0-or-later
// The locks of libraries that write one string with their owner's token, and are told from one
// another by the form of that token or by their keys' names. What neither tells is set-nx-px.
#include "backend/layouts/locks/ownerlock.h"

namespace lk::layouts {

// Lock(): the token is uuid.uuid1().hex, which nobody else makes; the name is the program's own.
const Layout& redisPyLock()
{
    static const OwnerLock layout({.id = "redis-py-lock",
                                   .title = QT_TRANSLATE_NOOP("lk::Layout", "redis-py lock"),
                                   .form = OwnerForm::Uuid1Hex,
                                   .places = {},
                                   .named = 0.95,
                                   .needsTtl = false,
                                   .signal = {}});
    return layout;
}

// redis-semaphore for Node.js: new Mutex(client, key).
const Layout& redisSemaphoreMutex()
{
    static const OwnerLock layout(
        {.id = "redis-semaphore-mutex",
         .title = QT_TRANSLATE_NOOP("lk::Layout", "redis-semaphore mutex"),
         .form = OwnerForm::Uuid,
         .places = {"mutex:"},
         .named = 0.95,
         .signal = {}});
    return layout;
}

// RedLock.net and pottery: one key on each of several servers; this is one server's vote.
const Layout& redlockNet()
{
    static const OwnerLock layout({.id = "redlock-net",
                                   .title = QT_TRANSLATE_NOOP("lk::Layout", "RedLock.net lock"),
                                   .form = OwnerForm::Uuid,
                                   .places = {"redlock:"},
                                   .named = 0.95,
                                   .signal = {}});
    return layout;
}

const Layout& gitlabLease()
{
    static const OwnerLock layout(
        {.id = "gitlab-exclusive-lease",
         .title = QT_TRANSLATE_NOOP("lk::Layout", "GitLab exclusive lease"),
         .form = OwnerForm::Uuid,
         .places = {"gitlab:exclusive_lease:"},
         .named = 0.97,
         .signal = {}});
    return layout;
}

// lockAtMostFor is its TTL; after the work the key stays until lockAtLeastFor is over.
const Layout& shedLock()
{
    static const OwnerLock layout({.id = "shedlock",
                                   .title = QT_TRANSLATE_NOOP("lk::Layout", "ShedLock"),
                                   .form = OwnerForm::AddedAtHost,
                                   .places = {},
                                   .named = 0.97,
                                   .signal = {},
                                   .outlivesWork = true});
    return layout;
}

// Waiters block on a list; a release without an element for it leaves them asleep.
const Layout& pythonRedisLock()
{
    static const OwnerLock layout({.id = "python-redis-lock",
                                   .title = QT_TRANSLATE_NOOP("lk::Layout", "python-redis-lock"),
                                   .form = OwnerForm::Base64Of18,
                                   .places = {"lock:"},
                                   .named = 0.95,
                                   .needsTtl = false,
                                   .signal = "lock-signal:"});
    return layout;
}

namespace {

// The prefixes of the connection and of the cache are the application's name with a word behind it,
// and the lock's name may follow at once: "laravel_database_laravel_cacheimport-once".
bool isJoinedToLaravelCache(const QByteArray& name)
{
    const QByteArray database = QByteArrayLiteral("_database_");
    const qsizetype at = name.indexOf(database);
    if (at <= 0)
        return name.startsWith("laravel_cache") && name.size() > 13;
    const QByteArray cache = name.left(at) + "_cache";
    return name.mid(at + database.size()).startsWith(cache) &&
           name.size() > at + database.size() + cache.size();
}

} // namespace

// Cache::lock() and what the framework itself locks: unique jobs, overlaps, scheduled commands. Its
// keys have the cache's prefix; a cached text of 16 characters is written in another way.
const Layout& laravelLock()
{
    static const OwnerLock layout(
        {.id = "laravel-lock",
         .title = QT_TRANSLATE_NOOP("lk::Layout", "Laravel lock"),
         .form = OwnerForm::Alnum16,
         .places = {"_cache:", "_cache_", "-cache-", "framework/schedule-",
                    "laravel_unique_job:", "laravel-queue-overlap:"},
         .named = 0.92,
         .needsTtl = false,
         .signal = {},
         .isPlaced = isJoinedToLaravelCache});
    return layout;
}

// simple-redis-mutex for Node.js: who waits for one is told on a channel that all of them share.
const Layout& simpleRedisMutex()
{
    static const OwnerLock layout({.id = "simple-redis-mutex",
                                   .title = QT_TRANSLATE_NOOP("lk::Layout", "simple-redis-mutex"),
                                   .form = OwnerForm::Unknown,
                                   .places = {"@simple-redis-mutex:lock-"},
                                   .named = 0.97,
                                   .signal = {},
                                   .channel = "@simple-redis-mutex:locks-releases",
                                   .message = R"({ "key": "<key>", "value": "<value>" })"});
    return layout;
}

// redis-promise-lock for Node.js: the value tells since when, and of nobody. Without a TTL where
// the program asks for none, or died before it set one.
const Layout& redisPromiseLock()
{
    static const OwnerLock layout({.id = "redis-promise-lock",
                                   .title = QT_TRANSLATE_NOOP("lk::Layout", "redis-promise-lock"),
                                   .form = OwnerForm::Unknown,
                                   .places = {"redis-promise-lock:"},
                                   .named = 0.97,
                                   .needsTtl = false,
                                   .signal = {},
                                   .tells = true});
    return layout;
}

// DistributedLock for .NET: the token is "<machine>_<pid>_<random>".
const Layout& distributedLock()
{
    static const OwnerLock layout(
        {.id = "distributedlock-net",
         .title = QT_TRANSLATE_NOOP("lk::Layout", "DistributedLock (.NET)"),
         .form = OwnerForm::MachinePid,
         .places = {},
         .named = 0.95,
         .nameless = 0.75,
         .signal = {}});
    return layout;
}

} // namespace lk::layouts
