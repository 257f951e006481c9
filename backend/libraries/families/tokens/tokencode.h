// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QByteArray>

namespace lk {

/// A code from the system's random source, each character as likely as any other.
/// Errors: BadArgument if the alphabet has less than 2 or repeated characters, or the code could be
/// guessed: less than 64 bits.
Result<QByteArray> randomCode(qint64 length, const QByteArray& alphabet);

/// Letters and digits without those that people mistake for one another.
extern const QByteArray codeAlphabet;
inline constexpr qint64 codeLength = 24;

} // namespace lk
