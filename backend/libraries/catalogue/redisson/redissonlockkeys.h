// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>

namespace lk {

// The keys and channels of Redisson's locks and semaphores.

/// "prefix:{name}", or "prefix:name" where the name has a brace already.
QByteArray redissonPrefixed(const QByteArray& prefix, const QByteArray& name);
/// Returns the name in such a key. Returns nothing if the key does not begin with that prefix.
std::optional<QByteArray> redissonUnprefixed(const QByteArray& key, const QByteArray& prefix);

/// "<uuid>:<thread>" of one client's thread, ":write" behind it where it is a writer's.
bool isRedissonHolder(QByteArrayView field);
bool isRedissonWriter(QByteArrayView field);

/// Returns the key whose TTL ends the i-th hold of a reader:
/// "{name}:<uuid>:<thread>:rwlock_timeout:<i>".
QByteArray redissonReadTimeout(const QByteArray& lock, const QByteArray& holder, qint64 hold);
/// Returns the lock that such a key belongs to. Also accepts the key of an unlock latch.
std::optional<QByteArray> redissonLockOf(const QByteArray& key);

} // namespace lk
