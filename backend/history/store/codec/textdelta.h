// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/bytes.h"

namespace lk {

/// Writes a text as the difference from the previous one: a state is nearly the same as ten seconds
/// ago. shape receives the positions and bytes the differing bytes. Both may be the same writer.
void writeAgainst(ByteWriter& shape, ByteWriter& bytes, const QByteArray& last,
                  const QByteArray& text);
/// Reads a text written by writeAgainst(). Broken data makes a reader fail.
QByteArray readAgainst(ByteReader& shape, ByteReader& bytes, const QByteArray& last);
/// Skips a text without needing the previous one.
void skipAgainst(ByteReader& shape, ByteReader& bytes);

} // namespace lk
