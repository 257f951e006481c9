// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>

namespace lk {

// How Redisson names the keys of an object (RedissonObject.suffixName): "{name}:suffix", or
// "name:suffix" where the name has a brace already.

/// Returns the object's name from "{name}" or from a name with braces of its own.
std::optional<QByteArray> redissonNameIn(const QByteArray& base);
QByteArray redissonSuffixed(const QByteArray& name, const QByteArray& suffix);

/// A key that belongs to an object: "{n}:permits:<uuid>" is part "permits" of n, for one client.
struct RedissonPart
{
    QByteArray name;   ///< the object's
    QByteArray client; ///< empty: shared by all clients
};
/// Returns nothing if the key is not that part of an object.
std::optional<RedissonPart> redissonPart(const QByteArray& key, const QByteArray& part);

} // namespace lk
