// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/redisson/redissonlockkeys.h"

#include "backend/libraries/catalogue/redisson/redissonnames.h"
#include "backend/libraries/detect/valueshape.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qsizetype uuidLength = 36;
constexpr QByteArrayView writer = ":write";

bool isNumber(QByteArrayView text)
{
    return !text.isEmpty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

QByteArray redissonPrefixed(const QByteArray& prefix, const QByteArray& name)
{
    return name.contains('{') ? prefix + ':' + name : prefix + ":{" + name + '}';
}

std::optional<QByteArray> redissonUnprefixed(const QByteArray& key, const QByteArray& prefix)
{
    if (!key.startsWith(prefix) || key.size() <= prefix.size() || key[prefix.size()] != ':')
        return std::nullopt;
    return redissonNameIn(key.mid(prefix.size() + 1));
}

bool isRedissonWriter(QByteArrayView field)
{
    return field.endsWith(writer) && isRedissonHolder(field);
}

bool isRedissonHolder(QByteArrayView field)
{
    if (field.endsWith(writer))
        field.chop(writer.size());
    return field.size() > uuidLength + 1 && isUuid(field.first(uuidLength)) &&
           field[uuidLength] == ':' &&
           (isNumber(field.sliced(uuidLength + 1)) || isUuid(field.sliced(uuidLength + 1)));
}

QByteArray redissonReadTimeout(const QByteArray& lock, const QByteArray& holder, qint64 hold)
{
    return redissonSuffixed(lock, holder) + ":rwlock_timeout:" + QByteArray::number(hold);
}

std::optional<QByteArray> redissonLockOf(const QByteArray& key)
{
    constexpr QByteArrayView timeout = ":rwlock_timeout:";
    if (const qsizetype at = key.lastIndexOf(timeout); at > 0) {
        const qsizetype thread = key.lastIndexOf(':', at - 1);
        const qsizetype uuid = thread > 0 ? key.lastIndexOf(':', thread - 1) : -1;
        if (uuid <= 0 || !isNumber(QByteArrayView(key).sliced(at + timeout.size())) ||
            !isRedissonHolder(QByteArrayView(key).sliced(uuid + 1, at - uuid - 1)))
            return std::nullopt;
        return redissonNameIn(key.left(uuid));
    }
    // "redisson_unlock_latch:{name}:<request>". Every key of a server comes here, so look first.
    const qsizetype request = key.startsWith("redisson_unlock_latch:") ? key.lastIndexOf(':') : -1;
    return request > 0
               ? redissonUnprefixed(key.left(request), QByteArrayLiteral("redisson_unlock_latch"))
               : std::nullopt;
}

} // namespace lk
