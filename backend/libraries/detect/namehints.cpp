// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/detect/namehints.h"

#include "backend/libraries/detect/characters.h"
#include "backend/libraries/detect/valueshape.h"

#include <algorithm>

namespace lk {

namespace {

bool isPartEnd(char c)
{
    return c == ':' || c == '/';
}

QByteArrayView withoutBraces(QByteArrayView part)
{
    while (!part.isEmpty() && (part.front() == '{' || part.front() == '}'))
        part = part.sliced(1);
    while (!part.isEmpty() && (part.back() == '{' || part.back() == '}'))
        part.chop(1);
    return part;
}

bool isAddress(QByteArrayView part)
{
    const auto dots = std::count(part.begin(), part.end(), '.');
    return dots == 3 && allAre(part, [](char c) { return isDigit(c) || c == '.'; });
}

bool isPhone(QByteArrayView part)
{
    if (part.startsWith('+'))
        part = part.sliced(1);
    return part.size() >= 7 && part.size() <= 15 && allAre(part, isDigit);
}

// How often the character class changes from one character to the next.
int changes(QByteArrayView text)
{
    const auto classOf = [](char c) {
        return isDigit(c) ? 0 : isLower(c) ? 1 : isUpper(c) ? 2 : 3;
    };
    int count = 0;
    for (qsizetype i = 1; i < text.size(); ++i)
        count += classOf(text[i]) != classOf(text[i - 1]) ? 1 : 0;
    return count;
}

} // namespace

bool isRandomText(QByteArrayView text)
{
    if (isUuid(text))
        return true;
    if (text.size() < 6 || !anyIs(text, isDigit))
        return false;
    if (isHex(text))
        return !allAre(text, isDigit);
    const bool fits = allAre(text, [](char c) {
        return isDigit(c) || isLower(c) || isUpper(c) || c == '_' || c == '-' || c == '=';
    });
    // The changes of a slug are at its hyphens; a token has others as well.
    const bool joined = text.contains('-') || text.contains('_');
    const int least = std::max<int>(4, int(text.size() / 5));
    return fits && text.size() >= (joined ? 20 : 8) && changes(text) >= least &&
           (!joined || (anyIs(text, isUpper) && anyIs(text, isLower)));
}

bool isIdentity(QByteArrayView part)
{
    part = withoutBraces(part);
    if (part.isEmpty())
        return false;
    return allAre(part, isDigit) || isPhone(part) || isAddress(part) || isRandomText(part) ||
           (part.contains('@') && part.size() >= 5);
}

bool isTypedCode(QByteArrayView text)
{
    if (text.size() < 4 || text.size() > 8 || !anyIs(text, isDigit))
        return false;
    return allAre(text, [](char c) { return isDigit(c) || isUpper(c); });
}

QByteArrayView tailOf(QByteArrayView name)
{
    const qsizetype colon = name.lastIndexOf(':');
    return name.sliced(colon >= 0 ? colon + 1 : lastSegment(name));
}

QByteArrayView firstPart(QByteArrayView name)
{
    return name.first(std::find_if(name.begin(), name.end(), isPartEnd) - name.begin());
}

bool leadsOrEnds(QByteArrayView name, const WordList& words)
{
    if (hasWord(firstPart(name), words))
        return true;
    while (!name.isEmpty()) {
        qsizetype from = name.size();
        while (from > 0 && !isPartEnd(name[from - 1]))
            --from;
        const QByteArrayView part = name.sliced(from);
        if (!part.isEmpty() && !isIdentity(part))
            return hasWord(part, words);
        name = name.first(std::max<qsizetype>(0, from - 1));
    }
    return false;
}

bool anyPart(QByteArrayView name, bool (*is)(QByteArrayView))
{
    qsizetype from = 0;
    for (qsizetype i = 0; i <= name.size(); ++i) {
        if (i < name.size() && !isPartEnd(name[i]))
            continue;
        if (is(name.sliced(from, i - from)))
            return true;
        from = i + 1;
    }
    return false;
}

bool hasPart(QByteArrayView name, const WordList& words, bool outer)
{
    qsizetype from = 0;
    for (qsizetype i = 0; i <= name.size(); ++i) {
        if (i < name.size() && !isPartEnd(name[i]) && name[i] != '.')
            continue;
        const auto isPart = [&](std::string_view word) {
            return word.size() == size_t(i - from) &&
                   qstrnicmp(name.data() + from, word.data(), word.size()) == 0;
        };
        const bool counts = !outer || from == 0 || i == name.size();
        if (counts && std::any_of(words.all.begin(), words.all.end(), isPart))
            return true;
        from = i + 1;
    }
    return false;
}

bool namesIdentity(QByteArrayView name)
{
    return anyPart(name, isIdentity);
}

bool hasRandomPart(QByteArrayView name)
{
    return anyPart(name, isRandomText);
}

} // namespace lk
