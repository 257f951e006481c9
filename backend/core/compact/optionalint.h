// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <compare>
#include <limits>
#include <optional>

namespace lk {

/// An optional integer in eight bytes, where std::optional<qint64> takes sixteen: a million
/// primitives have several each. The least qint64 means "unknown" and cannot be stored. Used like a
/// std::optional, and converts from and to it.
class OptionalInt
{
public:
    constexpr OptionalInt() = default;
    constexpr OptionalInt(std::nullopt_t) {}
    constexpr OptionalInt(qint64 value)
        : m_value(value)
    {}
    constexpr OptionalInt(const std::optional<qint64>& value)
        : m_value(value.value_or(unknown))
    {}
    constexpr operator std::optional<qint64>() const
    {
        return has_value() ? std::optional(m_value) : std::nullopt;
    }

    constexpr bool has_value() const { return m_value != unknown; }
    constexpr explicit operator bool() const { return has_value(); }
    /// Requires a known value.
    constexpr const qint64& operator*() const { return m_value; }
    constexpr qint64& operator*() { return m_value; }
    constexpr qint64 value_or(qint64 other) const { return has_value() ? m_value : other; }
    constexpr void reset() { m_value = unknown; }

    /// Unknown is less than every number, as in a std::optional.
    constexpr std::strong_ordering operator<=>(const OptionalInt&) const = default;
    constexpr bool operator==(const OptionalInt&) const = default;
    // Needed: the templates of std::optional treat two unknown values as different.
    friend constexpr bool operator==(const OptionalInt& a, const std::optional<qint64>& b)
    {
        return a.m_value == b.value_or(unknown);
    }
    friend constexpr std::strong_ordering operator<=>(const OptionalInt& a,
                                                      const std::optional<qint64>& b)
    {
        return a.m_value <=> b.value_or(unknown);
    }
    friend constexpr bool operator==(const OptionalInt& a, qint64 b) { return a.m_value == b; }
    friend constexpr std::strong_ordering operator<=>(const OptionalInt& a, qint64 b)
    {
        return a.m_value <=> b;
    }
    friend constexpr bool operator==(const OptionalInt& a, std::nullopt_t)
    {
        return !a.has_value();
    }

private:
    static constexpr qint64 unknown = std::numeric_limits<qint64>::min();

    qint64 m_value = unknown;
};
static_assert(sizeof(OptionalInt) == 8);

} // namespace lk
