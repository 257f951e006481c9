// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QByteArray>

namespace lk {

/// A code from the system's random source; all characters are equally likely. Errors: BadArgument
/// if the alphabet has fewer than 2 characters or repeats one, or if the code has less than 64
/// bits.
Result<QByteArray> randomCode(qint64 length, const QByteArray& alphabet);

/// Letters and digits without those that are easily confused.
extern const QByteArray codeAlphabet;
inline constexpr qint64 codeLength = 24;

} // namespace lk
