// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/bytes.h"
#include "backend/core/state.h"

#include <algorithm>

namespace lk {

/// Writes the part of a state that depends on its kind.
void writeBody(ByteWriter& out, const State& state);
/// Reads the part of a state that depends on its kind. state.primitive and state.asOfMs must be
/// set.
void readBody(ByteReader& in, State& state);

/// Writes a remaining duration as the moment of its end, which stays the same while the duration
/// runs down. A duration of 0 is written without a moment, which would change with every read.
inline void writeEnd(ByteWriter& out, std::optional<qint64> leftMs, qint64 asOfMs)
{
    constexpr quint8 over = 2;
    if (leftMs && *leftMs == 0)
        out.byte(over);
    else
        out.maybe(leftMs ? std::optional(asOfMs + *leftMs) : std::nullopt);
}
inline std::optional<qint64> readEnd(ByteReader& in, qint64 asOfMs)
{
    switch (in.byte()) {
    case 0:
        return std::nullopt;
    case 1:
        return in.whole() - asOfMs;
    case 2:
        return 0;
    default:
        in.fail();
        return std::nullopt;
    }
}

/// Writes and returns how many elements of a list are recorded, at most `most`. The first elements
/// matter most.
inline size_t writeCount(ByteWriter& out, size_t all, size_t most)
{
    const size_t n = std::min(all, most);
    out.number(n);
    return n;
}

inline void writeReal(ByteWriter& out, std::optional<double> value)
{
    out.flag(value.has_value());
    if (value)
        out.real(*value);
}

inline std::optional<double> readReal(ByteReader& in)
{
    return in.flag() ? std::optional(in.real()) : std::nullopt;
}

} // namespace lk
