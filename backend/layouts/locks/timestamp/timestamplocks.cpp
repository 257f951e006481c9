// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries that write the time at which a lock ends, with a TTL that ends then, too, or without
// one.
#include "backend/layouts/locks/timestamp/timestamplock.h"

namespace lk::layouts {

// kenn/redis-mutex: seconds with a fraction; an expired one is taken over by GETSET.
const Layout& redisMutex()
{
    static const TimestampLock layout({.id = "redis-mutex",
                                       .title = QT_TRANSLATE_NOOP("lk::Layout", "redis-mutex"),
                                       .places = {"RedisMutex:"},
                                       .end = {},
                                       .ttlAfterEndMs = {}});
    return layout;
}

// redis-objects: "<model>:<id>:<name>_lock", seconds with a fraction.
const Layout& redisObjectsLock()
{
    static const TimestampLock layout(
        {.id = "redis-objects-lock",
         .title = QT_TRANSLATE_NOOP("lk::Layout", "redis-objects lock"),
         .places = {},
         .end = "_lock",
         .fraction = true,
         .ttlAfterEndMs = {},
         .confidence = 0.9});
    return layout;
}

// redis-lock for Node.js: "lock.<name>", milliseconds.
const Layout& npmRedisLock()
{
    static const TimestampLock layout(
        {.id = "redis-lock-npm",
         .title = QT_TRANSLATE_NOOP("lk::Layout", "redis-lock (Node.js)"),
         .places = {"lock."},
         .end = {},
         .milliseconds = true,
         .ttlAfterEndMs = 0});
    return layout;
}

// Discourse's DistributedMutex: whole seconds; the key stays one or two seconds longer.
const Layout& discourseMutex()
{
    static const TimestampLock layout({.id = "discourse-mutex",
                                       .title = QT_TRANSLATE_NOOP("lk::Layout", "Discourse mutex"),
                                       .places = {},
                                       .end = {},
                                       .lockWord = true,
                                       .ttlAfterEndMs = 1500,
                                       .playMs = 700,
                                       .confidence = 0.9});
    return layout;
}

} // namespace lk::layouts
