// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/bytes.h"
#include "backend/core/state.h"

namespace lk {

/// What a queue adds to its state; as writeBody() and readBody().
void write(ByteWriter& out, const QueueState& s, qint64 asOfMs);
QueueState readQueue(ByteReader& in, qint64 asOfMs);
/// Whether the leases of its recorded jobs were alive, a byte each; empty: it is not known of any.
QByteArray recordedLeases(const QueueState& s);
void setLeases(QueueState& s, QByteArrayView leases);

} // namespace lk
