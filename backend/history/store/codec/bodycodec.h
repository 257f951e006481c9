// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/bytes.h"
#include "backend/core/state.h"

#include <algorithm>

namespace lk {

/// What a state's kind adds to it.
void writeBody(ByteWriter& out, const State& state);
/// Of the kind that state.primitive has; asOfMs is set already.
void readBody(ByteReader& in, State& state);

/// A duration that runs down, as the moment of its end: it stays the same while it does.
inline void writeEnd(ByteWriter& out, std::optional<qint64> leftMs, qint64 asOfMs)
{
    out.maybe(leftMs ? std::optional(asOfMs + *leftMs) : std::nullopt);
}
inline std::optional<qint64> readEnd(ByteReader& in, qint64 asOfMs)
{
    const std::optional<qint64> endMs = in.maybe();
    return endMs ? std::optional(*endMs - asOfMs) : std::nullopt;
}

/// How many of them are written, at most so many: what comes first matters most.
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
