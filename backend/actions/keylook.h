// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/action.h"

namespace lk::actions {

/// Looks at a string of at most 64 KiB, in two steps: its size, then the value.
std::vector<Command> lookAtString(const QByteArray& key, std::span<const Reply> looked);
/// The value. Errors: NotPossible if it is not there, too large, or no string; NoPerm.
Result<QByteArray> stringSeen(std::span<const Reply> looked);

/// Looks at a key's type, memory, expiry, and at its DUMP if that is no larger than what is kept
/// for undoing.
std::vector<Command> lookAtKey(const QByteArray& key, std::span<const Reply> looked);
struct KeySeen
{
    QByteArray type;
    qint64 bytes = 0;
    std::optional<qint64> ttlMs;
    QByteArray fingerprint; ///< empty: too large to be compared
};
Result<KeySeen> keySeen(std::span<const Reply> looked);

/// The first error reply, as an Error.
std::optional<Error> errorAmong(std::span<const Reply> looked);

} // namespace lk::actions
