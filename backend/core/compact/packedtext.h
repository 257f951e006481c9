// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/bytes.h"

namespace lk {

// What most owners of locks are called: a UUID (in 17 bytes where it is written in 36 characters),
// maybe with a thread's number behind it, or digits of a hash (in half). Only where that brings
// back each byte: in lower case.

void writePacked(ByteWriter& out, const QByteArray& text);
QByteArray readPacked(ByteReader& in);

} // namespace lk
