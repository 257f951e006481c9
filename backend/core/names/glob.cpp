// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/glob.h"

#include <algorithm>

namespace lk {

namespace {

// Matches one pattern element at p against c; sets next to the position after the element.
bool elementMatches(const QByteArray& pattern, qsizetype p, uchar c, qsizetype& next)
{
    const qsizetype size = pattern.size();
    const auto at = [&](qsizetype i) { return uchar(pattern[i]); };
    switch (pattern[p]) {
    case '?':
        next = p + 1;
        return true;
    case '\\':
        if (p + 1 < size)
            ++p;
        next = p + 1;
        return at(p) == c;
    case '[': {
        qsizetype i = p + 1;
        const bool negated = i < size && pattern[i] == '^';
        if (negated)
            ++i;
        bool found = false;
        for (; i < size && pattern[i] != ']'; ++i) {
            if (pattern[i] == '\\' && i + 1 < size) {
                found |= at(++i) == c;
            } else if (i + 2 < size && pattern[i + 1] == '-') {
                const auto low = std::min(at(i), at(i + 2)); // [z-a] is [a-z], as the server has it
                const auto high = std::max(at(i), at(i + 2));
                found |= low <= c && c <= high;
                i += 2;
            } else {
                found |= at(i) == c;
            }
        }
        next = std::min(i + 1, size);
        return found != negated;
    }
    default:
        next = p + 1;
        return at(p) == c;
    }
}

} // namespace

bool globMatches(const QByteArray& pattern, const QByteArray& name)
{
    // Remembers only the last star: going back further can never help.
    qsizetype p = 0;
    qsizetype n = 0;
    qsizetype starP = -1;
    qsizetype starN = 0;
    while (n < name.size()) {
        qsizetype next = 0;
        if (p < pattern.size() && pattern[p] == '*') {
            starP = p++;
            starN = n;
        } else if (p < pattern.size() && elementMatches(pattern, p, uchar(name[n]), next)) {
            p = next;
            ++n;
        } else if (starP >= 0) {
            p = starP + 1;
            n = ++starN;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

namespace {

bool isSpecial(char c)
{
    return c == '*' || c == '?' || c == '[' || c == '\\';
}

} // namespace

bool isLiteral(const QByteArray& pattern)
{
    return std::none_of(pattern.cbegin(), pattern.cend(), isSpecial);
}

QByteArray quotedForGlob(const QByteArray& name)
{
    QByteArray quoted;
    for (const char c : name) {
        if (isSpecial(c) || c == ']')
            quoted += '\\';
        quoted += c;
    }
    return quoted;
}

QByteArray literalStart(const QByteArray& pattern)
{
    const auto end = std::find_if(pattern.cbegin(), pattern.cend(), isSpecial);
    return pattern.left(end - pattern.cbegin());
}

} // namespace lk
