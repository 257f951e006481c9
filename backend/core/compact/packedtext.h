// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/bytes.h"

namespace lk {

// Packs the usual names of lock owners: a UUID (36 characters in 17 bytes), maybe followed by a
// thread's number, or hex digits of a hash (in half the size). Applies only to lower case, so that
// unpacking restores every byte.

void writePacked(ByteWriter& out, const QByteArray& text);
QByteArray readPacked(ByteReader& in);

} // namespace lk
