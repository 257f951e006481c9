// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/detect/valueshape.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/detect/characters.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lk {

namespace {

constexpr std::array<bool, 256> hexDigits = [] {
    std::array<bool, 256> digits{};
    for (const char c : std::string_view("0123456789abcdefABCDEF"))
        digits[size_t(c)] = true;
    return digits;
}();

bool isHexDigit(char c)
{
    return hexDigits[quint8(c)];
}

// Has no early return: for short texts that costs more than it saves.
bool isAllHex(QByteArrayView text)
{
    bool is = true;
    for (const char c : text)
        is &= hexDigits[quint8(c)];
    return is;
}

bool isBase64Char(char c)
{
    return isDigit(c) || isLetter(c) || c == '+' || c == '/' || c == '-' || c == '_' || c == '=';
}

// Random text of this length has digits and both cases; words, slugs and versions do not.
bool isMixed(QByteArrayView text)
{
    return anyIs(text, isDigit) && anyIs(text, isLower) && anyIs(text, isUpper);
}

bool isHostAndPid(QByteArrayView text)
{
    const qsizetype colon = text.indexOf(':');
    if (colon < 2 || !anyIs(text.first(colon), isLetter))
        return false;
    const bool hostLike = allAre(text.first(colon), [](char c) {
        return isDigit(c) || isLetter(c) || c == '.' || c == '-' || c == '_';
    });
    const QByteArrayView rest = text.sliced(colon + 1);
    const qsizetype end = rest.indexOf(':');
    const QByteArrayView pid = end < 0 ? rest : rest.first(end);
    return hostLike && !pid.isEmpty() && pid.size() <= 10 && allAre(pid, isDigit) &&
           allAre(rest, [](char c) { return c > ' ' && c < 0x7f; });
}

} // namespace

bool isUuid(QByteArrayView text)
{
    if (text.size() != 36)
        return false;
    return text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' &&
           isAllHex(text.first(8)) && isAllHex(text.sliced(9, 4)) && isAllHex(text.sliced(14, 4)) &&
           isAllHex(text.sliced(19, 4)) && isAllHex(text.sliced(24));
}

bool isNetworkAddress(QByteArrayView text)
{
    constexpr qsizetype longest = 45 + 4;
    if (text.size() > longest)
        return false;
    if (const qsizetype slash = text.indexOf('/'); slash >= 0) {
        const QByteArrayView length = text.sliced(slash + 1);
        if (length.isEmpty() || length.size() > 3 || !allAre(length, isDigit))
            return false;
        text = text.first(slash);
    }
    const auto colons = std::count(text.begin(), text.end(), ':');
    if (colons == 0) {
        qsizetype from = 0;
        int parts = 0;
        for (qsizetype i = 0; i <= text.size(); ++i) {
            if (i < text.size() && text[i] != '.')
                continue;
            const QByteArrayView part = text.sliced(from, i - from);
            if (part.isEmpty() || part.size() > 3 || !allAre(part, isDigit) ||
                part.toByteArray().toInt() > 255)
                return false;
            ++parts;
            from = i + 1;
        }
        return parts == 4;
    }
    const bool shortened = text.indexOf("::") >= 0;
    return colons <= 8 && (shortened || colons == 7) &&
           allAre(text, [](char c) { return isHexDigit(c) || c == ':' || c == '.'; });
}

bool isHex(QByteArrayView text)
{
    return !text.isEmpty() && allAre(text, isHexDigit);
}

bool isPrintable(QByteArrayView text)
{
    if (allAre(text, [](char c) { return c >= ' ' && c < 0x7f; }))
        return true; // true for nearly every text
    // Bytes that exactName() escapes are not printable, except for the backslash.
    const QByteArray bytes = text.toByteArray().replace('\\', '/');
    return !exactName(bytes).contains(QLatin1Char('\\'));
}

bool looksLikeJson(QByteArrayView text)
{
    const QByteArrayView t = text.trimmed();
    return t.startsWith('{') || t.startsWith('[') || t.startsWith('"');
}

bool looksLikeOwnerToken(QByteArrayView text)
{
    if (text.size() >= 36 && isUuid(text.first(36)))
        return text.size() == 36 || text[36] == ':' || text[36] == '-' || text[36] == '_';
    if (text.size() >= 6 && isHex(text))
        return anyIs(text, isDigit) && anyIs(text, isLetter);
    if (text.size() >= 16 && text.size() <= 64 && allAre(text, isBase64Char))
        return isMixed(text);
    return text.size() <= 100 && isHostAndPid(text);
}

bool looksOpaque(QByteArrayView text)
{
    return anyIs(text, isDigit) || text.contains('@') ||
           (text.size() >= 8 && anyIs(text, isLower) && anyIs(text, isUpper));
}

} // namespace lk
