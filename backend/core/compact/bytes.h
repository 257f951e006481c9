// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QVarLengthArray>

#include <cstring>
#include <optional>

namespace lk {

/// Writes numbers and texts in a compact form, one after the other.
class ByteWriter
{
public:
    void byte(quint8 value) { m_bytes.push_back(char(value)); }
    void flag(bool value) { byte(value ? 1 : 0); }
    void number(quint64 value)
    {
        if (value < 0x80) // nearly all values
            return byte(quint8(value));
        char bytes[10];
        qsizetype size = 0;
        for (; value >= 0x80; value >>= 7)
            bytes[size++] = char(value | 0x80);
        bytes[size++] = char(value);
        m_bytes.append(bytes, size);
    }
    void whole(qint64 value) { number((quint64(value) << 1) ^ quint64(value >> 63)); }
    void real(double value)
    {
        char raw[sizeof value];
        std::memcpy(raw, &value, sizeof value);
        m_bytes.append(raw, sizeof raw);
    }
    void text(const QByteArray& value)
    {
        number(quint64(value.size()));
        bytes(value);
    }
    /// Writes the bytes without their size.
    void bytes(QByteArrayView value) { m_bytes.append(value.data(), value.size()); }
    void maybe(std::optional<qint64> value)
    {
        flag(value.has_value());
        if (value)
            whole(*value);
    }
    /// Overwrites bytes that were written before.
    void replace(qsizetype at, QByteArrayView value)
    {
        std::memcpy(m_bytes.data() + at, value.data(), size_t(value.size()));
    }
    void reserve(qsizetype bytes) { m_bytes.reserve(bytes); }
    qsizetype size() const { return m_bytes.size(); }
    QByteArray take() const { return {m_bytes.data(), m_bytes.size()}; }

private:
    QVarLengthArray<char, 256> m_bytes;
};

/// Reads the output of a ByteWriter. Truncated data makes it fail permanently: it then returns
/// zeros and empty texts, and ok() returns false. Never reads beyond its bytes, which must outlive
/// it.
class ByteReader
{
public:
    explicit ByteReader(QByteArrayView bytes)
        : m_bytes(bytes)
    {}

    quint8 byte()
    {
        if (m_at >= m_bytes.size()) {
            m_ok = false;
            return 0;
        }
        return quint8(m_bytes[m_at++]);
    }
    bool flag() { return byte() != 0; }
    quint64 number()
    {
        quint64 value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            const quint8 next = byte();
            value |= quint64(next & 0x7f) << shift;
            if (next < 0x80)
                return value;
        }
        m_ok = false;
        return 0;
    }
    qint64 whole()
    {
        const quint64 value = number();
        return qint64(value >> 1) ^ -qint64(value & 1);
    }
    /// Reads a number written as the difference to the previous one.
    qint64 after(qint64 before) { return qint64(quint64(before) + quint64(whole())); }
    double real()
    {
        double value = 0;
        if (m_bytes.size() - m_at < qsizetype(sizeof value)) {
            fail();
            return 0;
        }
        std::memcpy(&value, m_bytes.data() + m_at, sizeof value);
        m_at += sizeof value;
        return value;
    }
    QByteArrayView view() { return view(number()); }
    QByteArrayView view(quint64 size)
    {
        if (!m_ok || size > quint64(m_bytes.size() - m_at)) {
            fail();
            return {};
        }
        const QByteArrayView found = m_bytes.sliced(m_at, qsizetype(size));
        m_at += qsizetype(size);
        return found;
    }
    QByteArray text() { return view().toByteArray(); }
    std::optional<qint64> maybe() { return flag() ? std::optional(whole()) : std::nullopt; }
    /// Reads a count of items that take at least a byte each. Never more than the bytes left.
    size_t count()
    {
        const quint64 n = number();
        if (n > quint64(m_bytes.size() - m_at)) {
            fail();
            return 0;
        }
        return size_t(n);
    }
    template<typename Enum> Enum oneOf(Enum last)
    {
        const quint8 value = byte();
        if (value > quint8(last))
            fail();
        return m_ok ? Enum(value) : Enum{};
    }

    void fail()
    {
        m_ok = false;
        m_at = m_bytes.size();
    }
    bool ok() const { return m_ok; }
    bool atEnd() const { return m_at >= m_bytes.size(); }

private:
    QByteArrayView m_bytes;
    qsizetype m_at = 0;
    bool m_ok = true;
};

} // namespace lk
