// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <compare>
#include <limits>
#include <optional>

namespace lk {

/// A whole number that may be unknown, in eight bytes where std::optional<qint64> takes sixteen:
/// a million primitives have several each. The least qint64 stands for "unknown" and is no value
/// of its own. Used as a std::optional is, which it turns into and is made from.
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
    /// Only of one that is known.
    constexpr const qint64& operator*() const { return m_value; }
    constexpr qint64& operator*() { return m_value; }
    constexpr qint64 value_or(qint64 other) const { return has_value() ? m_value : other; }
    constexpr void reset() { m_value = unknown; }

    /// What is unknown is less than every number, as of a std::optional.
    constexpr std::strong_ordering operator<=>(const OptionalInt&) const = default;
    constexpr bool operator==(const OptionalInt&) const = default;
    // Of their own: the templates that std::optional brings take two unknown ones for different.
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
