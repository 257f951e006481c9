// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/keyprefetch.h"

#include "backend/libraries/api/keyfingerprint.h"

namespace lk::actions {

namespace {

constexpr qint64 largestValue = 64 * 1024; // bytes

} // namespace

std::optional<Error> errorAmong(std::span<const Reply> prefetched)
{
    for (const Reply& reply : prefetched) {
        if (reply.isError())
            return errorFromReply(reply.text);
    }
    return std::nullopt;
}

std::vector<Command> prefetchString(const QByteArray& key, std::span<const Reply> prefetched)
{
    if (prefetched.empty())
        return {{"TYPE", key}, {"STRLEN", key}};
    const bool small = prefetched.size() == 2 && prefetched[1].isInteger() &&
                       prefetched[1].integer > 0 && prefetched[1].integer <= largestValue;
    return small ? std::vector<Command>{{"GET", key}} : std::vector<Command>();
}

Result<QByteArray> stringRead(std::span<const Reply> prefetched)
{
    if (!prefetched.empty() && keyTypeFromName(prefetched[0].text) == KeyType::None)
        return notPossible(ActionText::tr("The key no longer exists"));
    if (const auto error = errorAmong(prefetched))
        return tl::unexpected(*error);
    if (prefetched.size() == 2 && prefetched[1].integer > largestValue)
        return notPossible(ActionText::tr("The value is too large to compare"));
    if (prefetched.size() < 3)
        return QByteArray();
    if (!prefetched[2].isText())
        return notPossible(ActionText::tr("The key no longer exists"));
    return prefetched[2].text;
}

std::vector<Command> prefetchKey(const QByteArray& key, std::span<const Reply> prefetched)
{
    if (prefetched.empty())
        return {{"TYPE", key}, {"PTTL", key}, {"MEMORY", "USAGE", key, "SAMPLES", "5"}};
    const bool small = prefetched.size() == 3 && prefetched[2].isInteger() &&
                       prefetched[2].integer <= undoLimitBytes;
    return small ? std::vector<Command>{{"DUMP", key}} : std::vector<Command>();
}

Result<KeyRead> keyRead(std::span<const Reply> prefetched)
{
    if (prefetched.size() < 3)
        return notPossible(ActionText::tr("The key could not be read"));
    if (prefetched[0].isError())
        return tl::unexpected(errorFromReply(prefetched[0].text));
    if (keyTypeFromName(prefetched[0].text) == KeyType::None)
        return notPossible(ActionText::tr("The key no longer exists"));
    KeyRead seen;
    seen.type = prefetched[0].text;
    if (prefetched[1].isInteger() && prefetched[1].integer >= 0)
        seen.ttlMs = prefetched[1].integer;
    if (prefetched[2].isInteger())
        seen.bytes = prefetched[2].integer;
    if (prefetched.size() > 3 && prefetched[3].isText())
        seen.fingerprint = fingerprintOfDump(prefetched[3]);
    return seen;
}

} // namespace lk::actions
