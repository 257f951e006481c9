// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace lk {

/// A fixed list of words to look for in names: a few from words<>, many from a WordFile. A scan
/// looks for about a thousand words in every key. A braced list is rebuilt at each call and made
/// this three times slower.
struct WordList
{
    static constexpr size_t longest = 31; ///< bytes of one word

    std::span<const std::string_view> all;      ///< lower case, by length
    std::array<quint32, longest + 1> letters{}; ///< by length: the set of first letters
    std::array<quint8, longest + 2> starts{};   ///< by length: index in all of the first word

    explicit constexpr WordList(std::span<const std::string_view> textsByLength)
        : all(textsByLength)
    {
        for (const std::string_view text : all) {
            letters.at(text.size()) |= letter(text.front());
            for (size_t longer = text.size() + 1; longer < starts.size(); ++longer)
                ++starts.at(longer);
        }
    }
    constexpr std::span<const std::string_view> ofLength(size_t length) const
    {
        return all.subspan(starts[length], size_t(starts[length + 1]) - starts[length]);
    }
    static constexpr quint32 letter(char c) { return quint32(1) << (uchar(c) & 31); }
};

/// One word as a template argument.
template<size_t N> struct WordText
{
    char text[N] = {};

    consteval WordText(const char (&from)[N]) { std::copy_n(from, N, text); }
    constexpr std::string_view view() const { return {text, N - 1}; }
};

template<WordText... Texts>
inline constexpr std::array<std::string_view, sizeof...(Texts)> wordTexts = [] {
    static_assert(sizeof...(Texts) < 256);
    std::array<std::string_view, sizeof...(Texts)> texts{Texts.view()...};
    std::ranges::sort(texts, {}, &std::string_view::size);
    return texts;
}();

/// words<"lock", "mutex">: lower case, each with at least one letter and no more than 31.
template<WordText... Texts> inline constexpr WordList words{wordTexts<Texts...>};

/// True if one of the name's segments (split at : . / _ - | # { } and at camelCase humps),
/// lower-cased, equals one of the words. How layouts read hints out of names.
bool hasWord(QByteArrayView name, const WordList& words);

/// True for characters that split names into segments.
bool isNameSeparator(char c);

} // namespace lk
