// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/json/jsontext.h"

#include "backend/core/names/foreigntext.h"

#include <QLocale>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace lk {

namespace {

void appendUnit(QByteArray& out, char16_t unit)
{
    constexpr char digits[] = "0123456789abcdef";
    out.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4)
        out.append(digits[(unit >> shift) & 15]);
}

// The size in bytes of the first character; 1 for invalid UTF-8.
qsizetype characterSize(QByteArrayView utf8)
{
    const auto lead = uchar(utf8.front());
    const qsizetype size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    return std::min(size, utf8.size());
}

// JSON is read on terminals, too: characters that are not plain are escaped.
void appendCharacter(QByteArray& out, QByteArrayView utf8)
{
    QString text = QString::fromUtf8(utf8);
    if (text.isEmpty()) // taken for a mark of the byte order, and left out
        text = QChar(QChar::ByteOrderMark);
    const char32_t c =
        text.size() == 2 ? QChar::surrogateToUcs4(text[0], text[1]) : char32_t(text[0].unicode());
    if (isPlainCharacter(c))
        out.append(utf8);
    else
        std::for_each(text.begin(), text.end(),
                      [&](QChar unit) { appendUnit(out, unit.unicode()); });
}

void appendQuoted(QByteArray& out, QByteArrayView utf8)
{
    out += '"';
    qsizetype plain = 0; // start of the text that is copied unchanged
    for (qsizetype i = 0; i < utf8.size();) {
        const char c = utf8[i];
        if (uchar(c) >= 0x20 && uchar(c) < 0x7f && c != '"' && c != '\\') {
            ++i;
            continue;
        }
        out.append(utf8.sliced(plain, i - plain));
        const qsizetype size = characterSize(utf8.sliced(i));
        if (c == '"' || c == '\\')
            out.append('\\').append(c);
        else
            appendCharacter(out, utf8.sliced(i, size));
        i += size;
        plain = i;
    }
    out.append(utf8.sliced(plain)).append('"');
}

} // namespace

void JsonObject::begin(QByteArrayView name)
{
    constexpr qsizetype usual = 512; // bytes
    if (m_text.isEmpty())
        m_text.reserve(usual);
    m_text += m_text.isEmpty() ? '{' : ',';
    appendQuoted(m_text, name);
    m_text += ':';
}

void JsonObject::add(QByteArrayView name, bool value)
{
    addJson(name, value ? "true" : "false");
}

void JsonObject::add(QByteArrayView name, qint64 value)
{
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    addJson(name, QByteArrayView(digits, end));
}

void JsonObject::add(QByteArrayView name, double value)
{
    constexpr double largestWhole = 9007199254740992.0; // beyond it doubles skip numbers
    if (!std::isfinite(value))
        addNull(name);
    else if (value == std::floor(value) && std::abs(value) <= largestWhole)
        add(name, qint64(value));
    else
        addJson(name, QByteArray::number(value, 'g', QLocale::FloatingPointShortest));
}

void JsonObject::add(QByteArrayView name, std::optional<qint64> value)
{
    value ? add(name, *value) : addNull(name);
}

void JsonObject::add(QByteArrayView name, const QString& value)
{
    add(name, value.toUtf8());
}

void JsonObject::add(QByteArrayView name, const QByteArray& utf8)
{
    begin(name);
    appendQuoted(m_text, utf8);
}

void JsonObject::addNull(QByteArrayView name)
{
    addJson(name, "null");
}

void JsonObject::addJson(QByteArrayView name, QByteArrayView json)
{
    begin(name);
    m_text += json;
}

QByteArray JsonObject::text() const
{
    return m_text.isEmpty() ? QByteArrayLiteral("{}") : m_text + '}';
}

QByteArray jsonString(const QString& value)
{
    QByteArray out;
    appendQuoted(out, value.toUtf8());
    return out;
}

} // namespace lk
