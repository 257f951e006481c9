// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/namewords.h"

#include <algorithm>
#include <cstring>

namespace lk {

namespace {

enum Class : quint8 { Other, Separator, Upper, Lower };

constexpr std::array<Class, 256> classes = [] {
    std::array<Class, 256> of{};
    for (const char c : std::string_view(":./_-|#{}@ "))
        of[size_t(c)] = Separator;
    for (size_t i = 0; i < 26; ++i) {
        of['A' + i] = Upper;
        of['a' + i] = Lower;
    }
    return of;
}();

// The words of one name: its segments between separators, and their camelCase parts. A dozen
// layouts in turn look up many words in the same name. Nearly no word has the length and first
// letter of one of the name's words, so a bit test rules it out.
class NameWords
{
public:
    bool isOf(QByteArrayView name) const
    {
        return name.size() == m_size && m_size > 0 &&
               std::memcmp(name.data(), m_name.data(), size_t(m_size)) == 0;
    }
    /// False for a name that is too long.
    bool read(QByteArrayView name)
    {
        if (name.size() > mostBytes)
            return false;
        m_size = name.size();
        m_count = 0;
        std::ranges::copy(name, m_name.begin()); // not memcpy: an empty one may be null
        for (qsizetype i = 0; i < name.size(); ++i)
            m_lower[size_t(i)] = classes[uchar(name[i])] == Upper ? char(name[i] | 0x20) : name[i];
        eachWord(name, [this](qsizetype from, qsizetype to) { add(from, to); });
        return true;
    }

    bool hasOneOf(const WordList& words) const
    {
        return std::any_of(m_words.begin(), m_words.begin() + m_count, [&](const Word& word) {
            return (words.letters[word.size] & word.letter) && isIn(words, word);
        });
    }

    template<typename Take> static void eachWord(QByteArrayView name, const Take& take)
    {
        qsizetype start = 0; // of the segment between separators
        qsizetype hump = 0;  // of the camelCase part inside it
        Class before = Separator;
        for (qsizetype i = 0; i <= name.size(); ++i) {
            const Class is = i == name.size() ? Separator : classes[uchar(name[i])];
            if (is == Separator) {
                if (i > start)
                    take(start, i);
                if (hump > start)
                    take(hump, i);
                start = hump = i + 1;
            } else if (is == Upper && before == Lower) {
                take(hump, i);
                hump = i;
            }
            before = is;
        }
    }

private:
    static constexpr qsizetype mostBytes = 256;
    struct Word
    {
        quint32 letter; ///< see WordList::letter()
        quint16 from;
        quint16 size;
    };

    void add(qsizetype from, qsizetype to)
    {
        const auto size = size_t(to - from);
        if (size <= WordList::longest)
            m_words[m_count++] = {WordList::letter(m_lower[size_t(from)]), quint16(from),
                                  quint16(size)};
    }

    bool isIn(const WordList& words, const Word& word) const
    {
        const char* text = &m_lower[word.from];
        const auto ofLength = words.ofLength(word.size);
        return std::any_of(ofLength.begin(), ofLength.end(), [&](std::string_view one) {
            return one.front() == *text && std::memcmp(one.data(), text, word.size) == 0;
        });
    }

    std::array<char, mostBytes> m_name;
    std::array<char, mostBytes> m_lower;
    std::array<Word, mostBytes + 1> m_words; // camelCase has one more than it has bytes at most
    qsizetype m_size = 0;
    size_t m_count = 0;
};

} // namespace

bool isNameSeparator(char c)
{
    return classes[uchar(c)] == Separator;
}

bool hasWord(QByteArrayView name, const WordList& words)
{
    // Two names: layouts ask about a name and a part of it in turn.
    thread_local std::array<NameWords, 2> known;
    thread_local size_t last = 0;
    NameWords* of = &known[last];
    bool isKnown = of->isOf(name);
    if (!isKnown) {
        last = 1 - last;
        of = &known[last];
        isKnown = of->isOf(name) || of->read(name);
    }
    if (isKnown)
        return of->hasOneOf(words);
    // Dozens of layouts ask; the words that identify a key are at its beginning.
    constexpr qsizetype longest = 4096;
    name = name.first(std::min(name.size(), longest));
    bool found = false;
    NameWords::eachWord(name, [&](qsizetype from, qsizetype to) {
        const auto length = size_t(to - from);
        found =
            found || std::any_of(words.all.begin(), words.all.end(), [&](std::string_view word) {
                return word.size() == length &&
                       qstrnicmp(name.data() + from, word.data(), length) == 0;
            });
    });
    return found;
}

} // namespace lk
