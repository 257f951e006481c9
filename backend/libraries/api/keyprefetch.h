// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

namespace lk::actions {

/// Looks at a string of at most 64 KiB, in two steps: its size, then the value.
std::vector<Command> prefetchString(const QByteArray& key, std::span<const Reply> prefetched);
/// The value. Errors: NotPossible if it is not there, too large, or no string; NoPerm.
Result<QByteArray> stringRead(std::span<const Reply> prefetched);

/// Looks at a key's type, memory, expiry, and at its DUMP if that is no larger than what is kept
/// for undoing.
std::vector<Command> prefetchKey(const QByteArray& key, std::span<const Reply> prefetched);
/// What is known of a key before it is acted on: of TYPE, MEMORY USAGE, PTTL and DUMP.
struct KeyRead
{
    QByteArray type;
    qint64 bytes = 0;
    std::optional<qint64> ttlMs;
    QByteArray fingerprint; ///< empty: too large to be compared
};
Result<KeyRead> keyRead(std::span<const Reply> prefetched);

/// The first error reply, as an Error.
std::optional<Error> errorAmong(std::span<const Reply> prefetched);

} // namespace lk::actions
