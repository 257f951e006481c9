// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/detect/namepair.h"

#include "backend/core/names/keyname.h"
#include "backend/core/names/namewords.h"

#include <algorithm>
#include <span>

namespace lk {

namespace {

using Word = std::string_view;

// The words of one side of a pair: likeliest first, and as hasWord() needs them.
template<WordText... Texts> struct SideWords
{
    static constexpr Word inOrder[] = {Texts.view()...};
    static constexpr const WordList& list = words<Texts...>;
};
using WindowWords = SideWords<"rate", "window", "requests", "hits", "limit">;
using RetryWords = SideWords<"retry", "future", "retries", "reserved", "reservations">;

bool isSeparator(char c)
{
    return c == ':' || c == '.' || c == '/' || c == '_' || c == '-' || c == '|' || c == '#' ||
           c == '@';
}

// A name split around one word: before + word + after. Views into the name, since almost every key
// is checked and almost none is part of a pair.
struct Split
{
    QByteArrayView before;
    QByteArrayView word;
    QByteArrayView after;
};

bool isWord(QByteArrayView text, Word word)
{
    return size_t(text.size()) == word.size() && (text.front() | 0x20) == word.front() &&
           qstrnicmp(text.data(), word.data(), word.size()) == 0;
}

bool isOneOf(QByteArrayView text, std::span<const Word> words)
{
    return std::any_of(words.begin(), words.end(), [&](Word w) { return isWord(text, w); });
}

bool isHump(QByteArrayView name, qsizetype i)
{
    return i > 0 && name[i] >= 'A' && name[i] <= 'Z' && name[i - 1] >= 'a' && name[i - 1] <= 'z';
}

qsizetype lastHump(QByteArrayView name, qsizetype from)
{
    for (qsizetype i = name.size() - 1; i > from; --i) {
        if (isHump(name, i))
            return i;
    }
    return from;
}

qsizetype firstWordEnd(QByteArrayView name, bool atHump)
{
    for (qsizetype i = 0; i < name.size(); ++i) {
        if (isSeparator(name[i]) || (atHump && isHump(name, i)))
            return i;
    }
    return name.size();
}

// A quick check with the words of the name, which other checks share. False for nearly every name.
bool mayHave(QByteArrayView name, const WordList& words)
{
    constexpr qsizetype longest = 256; // bytes; longer names are not checked for all words
    return name.size() > longest || hasWord(name, words);
}

template<typename Side> std::optional<Split> splitAt(QByteArrayView name)
{
    if (!mayHave(name, Side::list))
        return std::nullopt;
    const qsizetype segment = lastSegment(name);
    for (const qsizetype start : {segment, lastHump(name, segment)}) {
        if (isOneOf(name.sliced(start), Side::inOrder))
            return Split{name.first(start), name.sliced(start), {}};
    }
    for (const bool atHump : {false, true}) {
        const qsizetype end = firstWordEnd(name, atHump);
        if (isOneOf(name.first(end), Side::inOrder))
            return Split{{}, name.first(end), name.sliced(end)};
    }
    return std::nullopt;
}

QByteArray stemOf(const Split& split)
{
    const QByteArray both = split.before.toByteArray() + split.after.toByteArray();
    qsizetype from = 0;
    qsizetype to = both.size();
    while (from < to && isSeparator(both[from]))
        ++from;
    while (to > from && isSeparator(both[to - 1]))
        --to;
    const QByteArray stem = both.mid(from, to - from);
    // rateKey and retryKey share only the word that names their type.
    return isWord(stem, "key") ? QByteArray() : stem;
}

// The other word in the case of this one.
QByteArray inCaseOf(QByteArrayView word, Word other)
{
    QByteArray out(other.data(), qsizetype(other.size()));
    const auto isUpper = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (std::all_of(word.begin(), word.end(), isUpper))
        return out.toUpper();
    if (isUpper(word[0]))
        out[0] = out.left(1).toUpper()[0];
    return out;
}

QByteArray swapped(const Split& split, Word word)
{
    return split.before.toByteArray() + inCaseOf(split.word, word) + split.after.toByteArray();
}

} // namespace

bool isRetryName(const QByteArray& name)
{
    return splitAt<RetryWords>(name).has_value();
}

std::vector<QByteArray> retryNamesFor(const QByteArray& window)
{
    const auto split = splitAt<WindowWords>(window);
    if (!split || isRetryName(window))
        return {};
    if (isWord(split->word, "window"))
        return {swapped(*split, "future"), swapped(*split, "retry")};
    return {swapped(*split, "retry")};
}

std::vector<QByteArray> windowNamesFor(const QByteArray& retry)
{
    const auto split = splitAt<RetryWords>(retry);
    if (!split)
        return {};
    std::vector<QByteArray> names;
    for (const Word word : WindowWords::inOrder)
        names.push_back(swapped(*split, word));
    if (isWord(split->word, "future"))
        std::swap(names[0], names[1]);
    const QByteArray stem = stemOf(*split);
    if (split->after.isEmpty() && !stem.isEmpty())
        names.push_back(stem);
    return names;
}

QByteArray pairName(const QByteArray& window, const QByteArray& retry)
{
    const auto w = splitAt<WindowWords>(window);
    const auto r = splitAt<RetryWords>(retry);
    if (!w || !r || w->before != r->before || w->after != r->after)
        return window;
    const QByteArray stem = stemOf(*w);
    return stem.isEmpty() ? window : stem;
}

} // namespace lk
