// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/namewords.h"

namespace lk {

namespace {

// The words of one name: its parts between separators, and the parts of these that camelCase makes.
// A dozen layouts ask one after the other about the same name, each for many words of which nearly
// none has the length and the first letter of one of the name's: that is told by a glance.
class NameWords
{
public:
    /// False for a name that is too long.
    bool read(QByteArrayView name)
    {
        if (name.size() > mostBytes)
            return false;
        if (name == QByteArrayView(m_name.data(), m_size) && m_size > 0)
            return true;
        m_size = name.size();
        m_count = 0;
        std::copy(name.begin(), name.end(), m_name.begin());
        std::transform(name.begin(), name.end(), m_lower.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
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
        for (qsizetype i = 0; i <= name.size(); ++i) {
            if (i == name.size() || isNameSeparator(name[i])) {
                if (i > start)
                    take(start, i);
                if (hump > start)
                    take(hump, i);
                start = hump = i + 1;
            } else if (i > start && name[i] >= 'A' && name[i] <= 'Z' && name[i - 1] >= 'a' &&
                       name[i - 1] <= 'z') {
                take(hump, i);
                hump = i;
            }
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
        const std::string_view text(&m_lower[word.from], word.size);
        return std::find(words.all.begin(), words.all.end(), text) != words.all.end();
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
    switch (c) {
    case ':':
    case '.':
    case '/':
    case '_':
    case '-':
    case '|':
    case '#':
    case '{':
    case '}':
    case '@':
    case ' ':
        return true;
    default:
        return false;
    }
}

bool hasWord(QByteArrayView name, const WordList& words)
{
    thread_local NameWords last;
    if (last.read(name))
        return last.hasOneOf(words);
    // Dozens of layouts ask; what says what a key is stands at its beginning.
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
