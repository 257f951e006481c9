// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/redisson/redissonnames.h"

#include "backend/libraries/detect/valueshape.h"

namespace lk {

std::optional<QByteArray> redissonNameIn(const QByteArray& base)
{
    if (base.startsWith('{') && base.endsWith('}')) {
        const QByteArray inner = base.mid(1, base.size() - 2);
        if (!inner.isEmpty() && !inner.contains('{'))
            return inner;
    }
    return base.contains('{') ? std::optional(base) : std::nullopt;
}

QByteArray redissonSuffixed(const QByteArray& name, const QByteArray& suffix)
{
    return name.contains('{') ? name + ':' + suffix : '{' + name + "}:" + suffix;
}

std::optional<RedissonPart> redissonPart(const QByteArray& key, const QByteArray& part)
{
    constexpr qsizetype uuidLength = 36;
    QByteArray base = key;
    QByteArray client;
    const qsizetype colon = key.size() - uuidLength - 1;
    if (colon > 0 && key[colon] == ':' && isUuid(QByteArrayView(key).sliced(colon + 1))) {
        client = key.mid(colon + 1);
        base = key.left(colon);
    }
    if (!base.endsWith(':' + part))
        return std::nullopt;
    const auto name = redissonNameIn(base.chopped(part.size() + 1));
    return name ? std::optional(RedissonPart{*name, client}) : std::nullopt;
}

} // namespace lk
