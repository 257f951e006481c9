// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/bytes.h"
#include "backend/core/state.h"

namespace lk {

/// Write and read the part of a state that is specific to queues; see writeBody() and readBody().
void write(ByteWriter& out, const QueueState& s, qint64 asOfMs);
QueueState readQueue(ByteReader& in, qint64 asOfMs);
/// Returns whether the leases of the recorded jobs were alive, one byte each; empty if none is
/// known.
QByteArray recordedLeases(const QueueState& s);
void setLeases(QueueState& s, QByteArrayView leases);

} // namespace lk
