// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/json/jsonedit.h"

#include <cstring>

namespace lk {

namespace {

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

qsizetype pastBlanks(QByteArrayView text, qsizetype at)
{
    while (at < text.size() && isBlank(text[at]))
        ++at;
    return at;
}

std::optional<qsizetype> stringEnd(QByteArrayView text, qsizetype at)
{
    for (++at; at < text.size(); ++at) {
        if (text[at] == '\\')
            ++at;
        else if (text[at] == '"')
            return at + 1;
    }
    return std::nullopt;
}

struct Range
{
    qsizetype from = 0;
    qsizetype to = 0;
};

// The range of the member's value in the object that begins at that index.
std::optional<Range> memberIn(QByteArrayView text, qsizetype at, QByteArrayView name)
{
    at = pastBlanks(text, at);
    if (at >= text.size() || text[at] != '{')
        return std::nullopt;
    at = pastBlanks(text, at + 1);
    while (at < text.size() && text[at] == '"') {
        const std::optional<qsizetype> nameEnd = stringEnd(text, at);
        if (!nameEnd)
            return std::nullopt;
        const bool wanted = text.sliced(at + 1, *nameEnd - at - 2) == name;
        qsizetype value = pastBlanks(text, *nameEnd);
        if (value >= text.size() || text[value] != ':')
            return std::nullopt;
        value = pastBlanks(text, value + 1);
        const std::optional<qsizetype> end = jsonValueEnd(text, value);
        if (!end)
            return std::nullopt;
        if (wanted)
            return Range{value, *end};
        at = pastBlanks(text, *end);
        if (at < text.size() && text[at] == ',')
            at = pastBlanks(text, at + 1);
    }
    return std::nullopt;
}

} // namespace

std::optional<qsizetype> jsonValueEnd(QByteArrayView text, qsizetype at)
{
    at = pastBlanks(text, at);
    if (at >= text.size())
        return std::nullopt;
    if (text[at] == '"')
        return stringEnd(text, at);
    if (text[at] != '{' && text[at] != '[') {
        const qsizetype from = at;
        while (at < text.size() && !isBlank(text[at]) && std::strchr(",]}", text[at]) == nullptr)
            ++at;
        return at > from ? std::optional(at) : std::nullopt;
    }
    int depth = 0;
    while (at < text.size()) {
        if (text[at] == '"') {
            const std::optional<qsizetype> end = stringEnd(text, at);
            if (!end)
                return std::nullopt;
            at = *end;
            continue;
        }
        if (text[at] == '{' || text[at] == '[')
            ++depth;
        else if (text[at] == '}' || text[at] == ']')
            --depth;
        ++at;
        if (depth == 0)
            return at;
    }
    return std::nullopt;
}

std::optional<QByteArray> jsonMember(const QByteArray& object, const QByteArray& name)
{
    const std::optional<Range> range = memberIn(object, 0, name);
    return range ? std::optional(object.mid(range->from, range->to - range->from)) : std::nullopt;
}

std::optional<QByteArray> withJsonMember(const QByteArray& object, const QByteArrayList& path,
                                         const QByteArray& value)
{
    qsizetype at = pastBlanks(object, 0);
    for (qsizetype i = 0; i + 1 < path.size(); ++i) {
        const std::optional<Range> inner = memberIn(object, at, path[i]);
        if (!inner)
            return std::nullopt;
        at = inner->from;
    }
    if (at >= object.size() || object[at] != '{' || path.isEmpty())
        return std::nullopt;
    QByteArray changed = object;
    if (const std::optional<Range> old = memberIn(object, at, path.last()))
        return changed.replace(old->from, old->to - old->from, value);
    const qsizetype next = pastBlanks(object, at + 1);
    const bool first = next < object.size() && object[next] == '}';
    return changed.insert(at + 1, '"' + path.last() + "\":" + value + (first ? "" : ","));
}

} // namespace lk
