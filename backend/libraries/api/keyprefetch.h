// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

namespace lk::actions {

/// Reads a string of at most 64 KiB in two steps: its size, then the value.
std::vector<Command> prefetchString(const QByteArray& key, std::span<const Reply> prefetched);
/// The value. Errors: NotPossible if the key is missing, too large or not a string; NoPerm.
Result<QByteArray> stringRead(std::span<const Reply> prefetched);

/// Reads a key's type, memory and expiry, and its DUMP if that is no larger than undoLimitBytes.
std::vector<Command> prefetchKey(const QByteArray& key, std::span<const Reply> prefetched);
/// The facts about a key before an action, from TYPE, MEMORY USAGE, PTTL and DUMP.
struct KeyRead
{
    QByteArray type;
    qint64 bytes = 0;
    std::optional<qint64> ttlMs;
    QByteArray fingerprint; ///< empty if the key is too large to be compared
};
Result<KeyRead> keyRead(std::span<const Reply> prefetched);

/// The first error reply, as an Error.
std::optional<Error> errorAmong(std::span<const Reply> prefetched);

} // namespace lk::actions
