// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/replyvalues.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

// QByteArray's own conversions forgive surrounding spaces; a stored number has none.
bool onlyOf(const QByteArray& text, std::string_view allowed)
{
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), [&](char c) {
        return allowed.find(c) != std::string_view::npos;
    });
}

} // namespace

std::optional<qint64> wholeNumber(const QByteArray& text)
{
    bool ok = false;
    const qint64 value = text.size() <= 20 ? text.toLongLong(&ok) : 0;
    if (!ok || !onlyOf(text, "-0123456789"))
        return std::nullopt;
    return value;
}

std::optional<double> decimalNumber(const QByteArray& text)
{
    bool ok = false;
    const double value = text.size() <= 40 ? text.toDouble(&ok) : 0;
    if (!ok || !onlyOf(text, "+-.0123456789eE") || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<qint64> integerOf(const Reply& reply)
{
    if (reply.isInteger())
        return reply.integer;
    return reply.isText() ? wholeNumber(reply.text) : std::nullopt;
}

qint64 countOf(const Reply& reply)
{
    return reply.isInteger() ? std::max<qint64>(0, reply.integer) : 0;
}

Ttl ttlOf(const Reply& reply)
{
    if (!reply.isInteger() || reply.integer == -2)
        return {};
    if (reply.integer < 0)
        return {true, std::nullopt};
    return {true, reply.integer};
}

std::vector<ScoredMember> scoredMembersOf(const Reply& reply)
{
    std::vector<ScoredMember> members;
    members.reserve(reply.items.size() / 2);
    for (size_t i = 0; i + 1 < reply.items.size(); i += 2) {
        bool ok = false;
        const double score = reply.items[i + 1].text.toDouble(&ok);
        if (ok && !std::isnan(score))
            members.push_back({reply.items[i].text, score});
    }
    return members;
}

std::optional<QByteArray> fieldOf(const Reply& reply, const std::vector<QByteArray>& asked,
                                  const char* field)
{
    const auto it = std::find(asked.begin(), asked.end(), field);
    const auto index = size_t(it - asked.begin());
    if (it == asked.end() || index >= reply.items.size() || !reply.items[index].isText())
        return std::nullopt;
    return reply.items[index].text;
}

} // namespace lk
