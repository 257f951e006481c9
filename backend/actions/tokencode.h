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

/// A token's name with its code left out, as it may be written down: "code:•••#1a2b3c4d". Whoever has
/// the code finds it again by the first 8 digits of the name's SHA-256; for others it is of no use. A
/// code that such digits would help to find, of less than 64 bits, has none: "code:•••".
/// The code begins after the prefix; where none is given after the last ":", or the last "/" if there
/// is no ":". Other separators occur in codes, as "/" does.
QByteArray maskedToken(const QByteArray& name);
QByteArray maskedToken(const QByteArray& name, const QByteArray& prefix);

} // namespace lk
