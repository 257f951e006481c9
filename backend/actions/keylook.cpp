// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/keylook.h"

#include <QCryptographicHash>

namespace lk::actions {

namespace {

constexpr qint64 largestValue = 64 * 1024; // bytes

} // namespace

std::optional<Error> errorAmong(std::span<const Reply> looked)
{
    for (const Reply& reply : looked) {
        if (reply.isError())
            return errorFromReply(reply.text);
    }
    return std::nullopt;
}

std::vector<Command> lookAtString(const QByteArray& key, std::span<const Reply> looked)
{
    if (looked.empty())
        return {{"TYPE", key}, {"STRLEN", key}};
    const bool small = looked.size() == 2 && looked[1].isInteger() && looked[1].integer > 0
                       && looked[1].integer <= largestValue;
    return small ? std::vector<Command>{{"GET", key}} : std::vector<Command>();
}

Result<QByteArray> stringSeen(std::span<const Reply> looked)
{
    if (!looked.empty() && looked[0].text == "none")
        return notPossible(ActionText::tr("The key is not there any more"));
    if (const auto error = errorAmong(looked))
        return tl::unexpected(*error);
    if (looked.size() == 2 && looked[1].integer > largestValue)
        return notPossible(ActionText::tr("The value is too large to be compared"));
    if (looked.size() < 3)
        return QByteArray();
    if (!looked[2].isText())
        return notPossible(ActionText::tr("The key is not there any more"));
    return looked[2].text;
}

std::vector<Command> lookAtKey(const QByteArray& key, std::span<const Reply> looked)
{
    if (looked.empty())
        return {{"TYPE", key}, {"PTTL", key}, {"MEMORY", "USAGE", key, "SAMPLES", "5"}};
    const bool small =
        looked.size() == 3 && looked[2].isInteger() && looked[2].integer <= undoLimitBytes;
    return small ? std::vector<Command>{{"DUMP", key}} : std::vector<Command>();
}

Result<KeySeen> keySeen(std::span<const Reply> looked)
{
    if (looked.size() < 3)
        return notPossible(ActionText::tr("The key could not be looked at"));
    if (looked[0].isError())
        return tl::unexpected(errorFromReply(looked[0].text));
    if (looked[0].text == "none")
        return notPossible(ActionText::tr("The key is not there any more"));
    KeySeen seen;
    seen.type = looked[0].text;
    if (looked[1].isInteger() && looked[1].integer >= 0)
        seen.ttlMs = looked[1].integer;
    if (looked[2].isInteger())
        seen.bytes = looked[2].integer;
    if (looked.size() > 3 && looked[3].isText())
        seen.fingerprint =
            QCryptographicHash::hash(looked[3].text, QCryptographicHash::Sha1).toHex();
    return seen;
}

} // namespace lk::actions
