// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/keyname.h"

#include "backend/core/names/foreigntext.h"
#include "backend/core/names/namewords.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

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
           QStringLiteral("\u2026 (%1)")
               .arg(QLocale().formattedDataSize(bytes.size(), 1, QLocale::DataSizeSIFormat));
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
    int marks = mostStackedMarks; // at the beginning there is no character to carry a mark
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
        marks = 0; // a mark may stand on the last digit
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
        if (isNameSeparator(name[i]))
            return i + 1;
    }
    return 0;
}

} // namespace lk
