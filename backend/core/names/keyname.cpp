// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/keyname.h"

#include "backend/core/names/foreigntext.h"

#include <QLocale>

#include <algorithm>
#include <array>

namespace lk {

namespace {

bool isSeparator(char c)
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

// Length of the valid UTF-8 sequence at p, or 0.
int sequenceLength(const uchar* p, const uchar* end)
{
    if (*p < 0x80)
        return 1;
    const int length = *p >= 0xF0 && *p <= 0xF4  ? 4
                       : *p >= 0xE0 && *p < 0xF0 ? 3
                       : *p >= 0xC2 && *p < 0xE0 ? 2
                                                 : 0;
    if (length == 0 || end - p < length)
        return 0;
    for (int i = 1; i < length; ++i) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    }
    const bool overlongOrSurrogate = (p[0] == 0xE0 && p[1] < 0xA0) ||
                                     (p[0] == 0xED && p[1] > 0x9F) ||
                                     (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F);
    return overlongOrSurrogate ? 0 : length;
}

void appendEscaped(QString& out, uchar byte)
{
    constexpr char digits[] = "0123456789abcdef";
    out += QLatin1String("\\x");
    out += QLatin1Char(digits[byte >> 4]);
    out += QLatin1Char(digits[byte & 15]);
}

constexpr qsizetype longestName = 1024; // bytes
constexpr qsizetype beginning = 160;    // bytes that are shown of a longer one: two or three lines

} // namespace

QString displayName(const QByteArray& bytes)
{
    if (bytes.size() <= longestName)
        return exactName(bytes);
    qsizetype cut = beginning;
    while (cut > beginning - 4 && (uchar(bytes[cut]) & 0xC0) == 0x80)
        --cut; // not in the middle of a character
    return exactName(bytes.left(cut)) +
           QStringLiteral("\u2026 (%1)").arg(QLocale().formattedDataSize(bytes.size()));
}

QString exactName(const QByteArray& bytes)
{
    const auto isPlain = [](char c) { return c >= 0x20 && c < 0x7F && c != '\\'; };
    if (std::all_of(bytes.begin(), bytes.end(), isPlain))
        return QString::fromLatin1(bytes);
    QString out;
    out.reserve(bytes.size());
    const auto* p = reinterpret_cast<const uchar*>(bytes.constData());
    const uchar* end = p + bytes.size();
    int marks = mostStackedMarks; // at the beginning there is nothing to stand on
    while (p < end) {
        if (*p >= 0x20 && *p < 0x7F && *p != '\\') {
            out += QLatin1Char(char(*p++));
            marks = 0;
            continue;
        }
        const int length = *p < 0x80 ? 0 : sequenceLength(p, end);
        const QString decoded =
            length > 0 ? QString::fromUtf8(reinterpret_cast<const char*>(p), length) : QString();
        const char32_t c = decoded.isEmpty()     ? 0
                           : decoded.size() == 2 ? QChar::surrogateToUcs4(decoded[0], decoded[1])
                                                 : char32_t(decoded[0].unicode());
        const bool mark = isStackedMark(c);
        if (isPlainCharacter(c) && !(mark && marks >= mostStackedMarks)) {
            out += decoded;
            p += length;
            marks = mark ? marks + 1 : 0;
            continue;
        }
        for (const uchar* after = p + std::max(1, length); p < after; ++p)
            appendEscaped(out, *p);
        marks = 0; // on the last digit
    }
    return out;
}

QByteArray bytesFromDisplay(const QString& text)
{
    const QByteArray utf8 = text.toUtf8();
    QByteArray out;
    out.reserve(utf8.size());
    for (qsizetype i = 0; i < utf8.size(); ++i) {
        if (utf8[i] == '\\' && i + 3 < utf8.size() && utf8[i + 1] == 'x') {
            bool ok = false;
            const int byte = utf8.mid(i + 2, 2).toInt(&ok, 16);
            if (ok) {
                out += char(byte);
                i += 3;
                continue;
            }
        }
        out += utf8[i];
    }
    return out;
}

QString displayPreview(const QByteArray& bytes, int maxChars)
{
    // Four bytes a character at the most: never decode a megabyte to show a line of it.
    const QString text = displayName(bytes.left(qsizetype(maxChars) * 4));
    if (text.size() <= maxChars && bytes.size() <= qsizetype(maxChars) * 4)
        return text;
    const bool splits =
        maxChars > 0 && text.size() > maxChars && text[maxChars - 1].isHighSurrogate();
    return text.left(splits ? maxChars - 1 : maxChars) + QChar(0x2026);
}

qsizetype lastSegment(QByteArrayView name)
{
    for (qsizetype i = name.size() - 1; i >= 0; --i) {
        if (isSeparator(name[i]))
            return i + 1;
    }
    return 0;
}

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
        m_letters.fill(0);
        std::copy(name.begin(), name.end(), m_name.begin());
        std::transform(name.begin(), name.end(), m_lower.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
        eachWord(name, [this](qsizetype from, qsizetype to) { add(from, to); });
        return true;
    }

    bool hasOneOf(std::initializer_list<std::string_view> words) const
    {
        return std::any_of(words.begin(), words.end(), [this](std::string_view word) {
            return word.size() < m_letters.size() && (m_letters[word.size()] & letter(word[0])) &&
                   has(word);
        });
    }

    template<typename Take> static void eachWord(QByteArrayView name, const Take& take)
    {
        qsizetype start = 0; // of the segment between separators
        qsizetype hump = 0;  // of the camelCase part inside it
        for (qsizetype i = 0; i <= name.size(); ++i) {
            if (i == name.size() || isSeparator(name[i])) {
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
        quint16 from;
        quint16 size;
    };

    static quint32 letter(char c) { return quint32(1) << (uchar(c) & 31); } // of either case

    void add(qsizetype from, qsizetype to)
    {
        const auto size = size_t(to - from);
        if (size < m_letters.size()) {
            m_letters[size] |= letter(m_lower[size_t(from)]);
            m_words[m_count++] = {quint16(from), quint16(size)};
        }
    }

    bool has(std::string_view word) const
    {
        return std::any_of(m_words.begin(), m_words.begin() + m_count, [&](const Word& w) {
            return w.size == word.size() && word == std::string_view(&m_lower[w.from], w.size);
        });
    }

    std::array<char, mostBytes> m_name;
    std::array<char, mostBytes> m_lower;
    std::array<Word, mostBytes + 1> m_words; // camelCase has one more than it has bytes at most
    std::array<quint32, 32> m_letters;       // by length: which first letters there are
    qsizetype m_size = 0;
    ptrdiff_t m_count = 0;
};

} // namespace

bool hasWord(QByteArrayView name, std::initializer_list<std::string_view> words)
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
        found = found || std::any_of(words.begin(), words.end(), [&](std::string_view word) {
                    return word.size() == length &&
                           qstrnicmp(name.data() + from, word.data(), length) == 0;
                });
    });
    return found;
}

} // namespace lk
