// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/bytes.h"

namespace lk {

/// Writes a text as what is different from the one before: of a state that was recorded ten seconds
/// ago nearly all is the same. shape: where; bytes: what, one after the other. Both may be one.
void writeAgainst(ByteWriter& shape, ByteWriter& bytes, const QByteArray& last,
                  const QByteArray& text);
/// What is broken makes a reader fail.
QByteArray readAgainst(ByteReader& shape, ByteReader& bytes, const QByteArray& last);
/// The same where nobody asks for it, without the one before.
void skipAgainst(ByteReader& shape, ByteReader& bytes);

} // namespace lk
