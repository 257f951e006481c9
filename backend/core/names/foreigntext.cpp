// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/foreigntext.h"

#include <algorithm>

namespace lk {

namespace {

// Characters that are letters, marks or symbols by category, but invisible.
bool isInvisible(char32_t c)
{
    return c == 0x034f || c == 0x115f || c == 0x1160 || c == 0x17b4 || c == 0x17b5 ||
           (c >= 0x180b && c <= 0x180f) || c == 0x2800 || c == 0x3164 ||
           (c >= 0xfe00 && c <= 0xfe0f) || c == 0xffa0 || c == 0xfffc ||
           (c >= 0xe0000 && c <= 0xe0fff);
}

void appendEscaped(QString& out, const QString& character)
{
    constexpr char digits[] = "0123456789abcdef";
    for (const char byte : character.toUtf8()) {
        out += QLatin1String("\\x");
        out += QLatin1Char(digits[uchar(byte) >> 4]);
        out += QLatin1Char(digits[uchar(byte) & 15]);
    }
}

} // namespace

bool isPlainCharacter(char32_t c)
{
    if (c >= 0x20 && c < 0x7f)
        return true;
    switch (QChar::category(c)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_PrivateUse:
    case QChar::Other_NotAssigned:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
    case QChar::Separator_Space:
        return false;
    default:
        return !isInvisible(c);
    }
}

bool isStackedMark(char32_t c)
{
    if (c < 0x300)
        return false;
    const QChar::Category category = QChar::category(c);
    return category == QChar::Mark_NonSpacing || category == QChar::Mark_Enclosing;
}

QString foreignText(const QString& text)
{
    const auto isAscii = [](QChar c) { return c.unicode() >= 0x20 && c.unicode() < 0x7f; };
    if (std::all_of(text.begin(), text.end(), isAscii))
        return text;
    QString out;
    out.reserve(text.size());
    int marks = mostStackedMarks; // at the beginning there is no character to carry a mark
    for (qsizetype i = 0; i < text.size();) {
        const bool pair =
            text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        const char32_t c =
            pair ? QChar::surrogateToUcs4(text[i], text[i + 1]) : char32_t(text[i].unicode());
        const QString character = text.mid(i, pair ? 2 : 1);
        i += pair ? 2 : 1;
        const bool mark = isStackedMark(c);
        if (isPlainCharacter(c) && !(mark && marks >= mostStackedMarks)) {
            out += character;
            marks = mark ? marks + 1 : 0;
        } else {
            appendEscaped(out, character);
            marks = 0; // a mark may stand on the last digit
        }
    }
    return out;
}

} // namespace lk
