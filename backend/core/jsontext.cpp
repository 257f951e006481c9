// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/jsontext.h"

#include <QLocale>

#include <charconv>
#include <cmath>

namespace lk {

namespace {

void appendEscape(QByteArray& out, char c)
{
    constexpr char digits[] = "0123456789abcdef";
    const auto byte = uchar(c);
    if (c == '"' || c == '\\')
        out.append('\\').append(c);
    else
        out.append("\\u00").append(digits[byte >> 4]).append(digits[byte & 15]);
}

void appendQuoted(QByteArray& out, QByteArrayView utf8)
{
    out += '"';
    qsizetype plain = 0; // start of what may be taken over as it is
    for (qsizetype i = 0; i < utf8.size(); ++i) {
        const char c = utf8[i];
        if (uchar(c) >= 0x20 && c != '"' && c != '\\')
            continue;
        out.append(utf8.sliced(plain, i - plain));
        appendEscape(out, c);
        plain = i + 1;
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
