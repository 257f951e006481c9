// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/bytes.h"

#include <array>
#include <bit>
#include <cmath>

namespace lk {

/// Packs several small numbers into a byte, the first in its lowest bits.
class BitWriter
{
public:
    BitWriter& add(int bits, unsigned value)
    {
        m_byte |= value << m_used;
        m_used += bits;
        Q_ASSERT(m_used <= 8 && m_byte < (1U << m_used));
        return *this;
    }
    BitWriter& flag(bool value) { return add(1, value ? 1 : 0); }
    void to(ByteWriter& out) const { out.byte(quint8(m_byte)); }

private:
    unsigned m_byte = 0;
    int m_used = 0;
};

/// Reads the output of a BitWriter.
class BitReader
{
public:
    explicit BitReader(ByteReader& in)
        : m_in(in)
        , m_byte(in.byte())
    {}

    unsigned take(int bits)
    {
        const unsigned value = m_byte & ((1U << bits) - 1);
        m_byte >>= bits;
        return value;
    }
    bool flag() { return take(1) != 0; }
    template<typename Enum> Enum oneOf(int bits, Enum last)
    {
        const unsigned value = take(bits);
        if (value > unsigned(last))
            m_in.fail();
        return m_in.ok() ? Enum(value) : Enum{};
    }

private:
    ByteReader& m_in;
    unsigned m_byte;
};

/// Writes a time, or 0 for none, as its distance from another, such as when a state was read. Most
/// are near and take a byte or two instead of six. Works for durations as well.
inline void writeTime(ByteWriter& out, qint64 ms, qint64 fromMs)
{
    const auto away = qint64(quint64(fromMs) - quint64(ms));
    out.number(ms == 0 ? 0 : ((quint64(away) << 1) ^ quint64(away >> 63)) + 1);
}

inline qint64 readTime(ByteReader& in, qint64 fromMs)
{
    const quint64 coded = in.number();
    if (coded == 0)
        return 0;
    const auto away = qint64((coded - 1) >> 1) ^ -qint64((coded - 1) & 1);
    return qint64(quint64(fromMs) - quint64(away));
}

/// The encoding of a real number: most are 0, or seconds made of whole milliseconds.
enum class Real : quint8 { Zero, Thousandths, Whole };

inline Real formOf(double value)
{
    constexpr double most = 1e15;
    if (std::bit_cast<quint64>(value) == 0)
        return Real::Zero;
    // Negated, because every comparison with NaN is false.
    if (!(std::abs(value) < most / 1000))
        return Real::Whole;
    const auto parts = qint64(std::round(value * 1000));
    const bool same = std::bit_cast<quint64>(double(parts) / 1000) == std::bit_cast<quint64>(value);
    return same ? Real::Thousandths : Real::Whole;
}

inline void writeReal(ByteWriter& out, double value, Real form)
{
    if (form == Real::Thousandths)
        out.whole(qint64(std::round(value * 1000)));
    else if (form == Real::Whole)
        out.real(value);
}

inline double readReal(ByteReader& in, Real form)
{
    if (form == Real::Thousandths)
        return double(in.whole()) / 1000;
    return form == Real::Whole ? in.real() : 0;
}

/// Optional numbers: a mask of the present ones, then their values.
template<size_t count> using Numbers = std::array<std::optional<qint64>, count>;

template<size_t count> void writeNumbers(ByteWriter& out, const Numbers<count>& numbers)
{
    quint64 there = 0;
    for (size_t i = 0; i < count; ++i)
        there |= quint64(numbers[i] ? 1 : 0) << i;
    out.number(there);
    for (const std::optional<qint64>& number : numbers) {
        if (number)
            out.whole(*number);
    }
}

template<size_t count> Numbers<count> readNumbers(ByteReader& in)
{
    const quint64 there = in.number();
    Numbers<count> numbers;
    for (size_t i = 0; i < count; ++i) {
        if ((there >> i) & 1)
            numbers[i] = in.whole();
    }
    return numbers;
}

} // namespace lk
