// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/symfony/serializedphp.h"

#include <QtEndian>

#include <algorithm>
#include <bit>

namespace lk {

namespace {

constexpr int mostProperties = 16;

// serialize(): O:43:"Class":2:{s:3:"key";d:1.5;s:4:"next";i:5;}
class TextReader
{
public:
    explicit TextReader(const QByteArray& bytes)
        : m_bytes(bytes)
    {}

    std::optional<SerializedObject> object()
    {
        SerializedObject object;
        if (!skip("O:"))
            return std::nullopt;
        object.name = quoted(numberUntil(':'));
        if (!skip(":"))
            return std::nullopt;
        const int count = numberUntil(':');
        if (count < 0 || count > mostProperties || !skip("{"))
            return std::nullopt;
        for (int i = 0; i < count; ++i) {
            SerializedObject::Property property;
            if (skip("s:")) {
                property.key = quoted(numberUntil(':'));
            } else if (skip("i:")) {
                property.key = until(';');
                --m_at;
            }
            if (!skip(";") || !value(property.number))
                return std::nullopt;
            object.properties.push_back(std::move(property));
        }
        return skip("}") && !m_failed ? std::optional(object) : std::nullopt;
    }

private:
    bool skip(const char* text)
    {
        const qsizetype length = qsizetype(qstrlen(text));
        if (m_failed || m_bytes.mid(m_at, length) != text)
            return false;
        m_at += length;
        return true;
    }
    QByteArray until(char end)
    {
        const qsizetype to = m_bytes.indexOf(end, m_at);
        m_failed = m_failed || to < 0;
        const QByteArray text = m_failed ? QByteArray() : m_bytes.mid(m_at, to - m_at);
        m_at = to + 1;
        return text;
    }
    int numberUntil(char end)
    {
        bool isNumber = false;
        const int number = until(end).toInt(&isNumber);
        return isNumber ? number : -1;
    }
    QByteArray quoted(int length)
    {
        m_failed = m_failed || length < 0 || m_at + length + 2 > m_bytes.size() ||
                   m_bytes[m_at] != '"' || m_bytes[m_at + length + 1] != '"';
        if (m_failed)
            return {};
        const QByteArray text = m_bytes.mid(m_at + 1, length);
        m_at += length + 2;
        return text;
    }
    bool value(double& number)
    {
        if (skip("s:")) {
            quoted(numberUntil(':'));
            return skip(";");
        }
        if (!skip("i:") && !skip("d:"))
            return false;
        bool isNumber = false;
        number = until(';').toDouble(&isNumber);
        return isNumber;
    }

    const QByteArray& m_bytes;
    qsizetype m_at = 0;
    bool m_failed = false;
};

// igbinary 2: a code for each value, big-endian lengths.
class BinaryReader
{
public:
    explicit BinaryReader(const QByteArray& bytes)
        : m_bytes(bytes)
    {}

    std::optional<SerializedObject> object()
    {
        SerializedObject object;
        if (number(4) != 2 || number(1) != 0x17) // an object, its class in up to 255 bytes
            return std::nullopt;
        object.name = bytes(number(1));
        if (number(1) != 0x14) // an array of up to 255
            return std::nullopt;
        const auto count = number(1);
        for (quint64 i = 0; i < count && i < mostProperties && !m_failed; ++i) {
            SerializedObject::Property property;
            double none = 0;
            property.key = value(none);
            value(property.number);
            object.properties.push_back(std::move(property));
        }
        return m_failed || count > mostProperties ? std::nullopt : std::optional(object);
    }

private:
    quint64 number(int size)
    {
        quint64 all = 0;
        for (const char c : bytes(quint64(size)))
            all = all << 8 | uchar(c);
        return all;
    }
    QByteArray bytes(quint64 count)
    {
        m_failed = m_failed || count > quint64(m_bytes.size() - m_at);
        if (m_failed)
            return {};
        const QByteArray taken = m_bytes.mid(m_at, qsizetype(count));
        m_at += qsizetype(count);
        return taken;
    }
    // Returns a text. Stores a number in the property.
    QByteArray value(double& as)
    {
        switch (number(1)) {
        case 0x06: // whole numbers, positive and negative, of one, two, four and eight bytes
            as = double(number(1));
            return {};
        case 0x07:
            as = -double(number(1));
            return {};
        case 0x08:
            as = double(number(2));
            return {};
        case 0x09:
            as = -double(number(2));
            return {};
        case 0x0a:
            as = double(number(4));
            return {};
        case 0x0b:
            as = -double(number(4));
            return {};
        case 0x0c:
            as = std::bit_cast<double>(number(8));
            return {};
        case 0x0d: // empty
            return {};
        case 0x11:
            return bytes(number(1));
        case 0x12:
            return bytes(number(2));
        case 0x20:
            as = double(number(8));
            return {};
        case 0x21:
            as = -double(number(8));
            return {};
        default:
            m_failed = true;
            return {};
        }
    }

    const QByteArray& m_bytes;
    qsizetype m_at = 0;
    bool m_failed = false;
};

// Returns a text of that length, as far as the bytes go. It begins after a quotation mark or a
// length.
QByteArray partOf(const QByteArray& bytes, qsizetype at, qsizetype length)
{
    const QByteArray part = bytes.mid(at, length);
    return part.size() < length ? part + "\xe2\x80\xa6" : part;
}

} // namespace

std::optional<SerializedObject> phpObjectStart(const QByteArray& bytes)
{
    SerializedObject object;
    if (bytes.startsWith("O:")) {
        const qsizetype name = bytes.indexOf('"') + 1;
        const qsizetype nameEnd = bytes.indexOf('"', name);
        const qsizetype key = bytes.indexOf("{s:", std::max<qsizetype>(0, nameEnd));
        const qsizetype colon = bytes.indexOf(':', key + 3);
        bool isNumber = false;
        const int length = bytes.mid(key + 3, colon - key - 3).toInt(&isNumber);
        if (name <= 0 || nameEnd < 0 || key < 0 || colon < 0 || !isNumber || length <= 0)
            return std::nullopt;
        object.name = bytes.mid(name, nameEnd - name);
        object.properties.push_back({partOf(bytes, colon + 2, length), 0});
        return object;
    }
    // igbinary: see BinaryReader.
    constexpr qsizetype head = 6;
    const auto at = [&](qsizetype i) { return i < bytes.size() ? int(uchar(bytes[i])) : -1; };
    const qsizetype array = head + std::max(0, at(5));
    if (at(3) != 2 || at(4) != 0x17 || at(array) != 0x14 || at(array + 2) != 0x11 ||
        at(array + 3) <= 0)
        return std::nullopt;
    object.name = bytes.mid(head, at(5));
    object.properties.push_back({partOf(bytes, array + 4, at(array + 3)), 0});
    return object;
}

std::optional<SerializedObject> phpObject(const QByteArray& bytes)
{
    return bytes.startsWith("O:") ? TextReader(bytes).object() : BinaryReader(bytes).object();
}

} // namespace lk
