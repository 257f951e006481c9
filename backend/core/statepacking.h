// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// The sort key of states by severity.
struct StateRank
{
    Health health = Health::Idle;
    double urgency = 0;
};

/// Packs the fields that rows, reports, rules and the next read need into about fifty bytes. Leaves
/// out the marks in a limiter's window, the facts of a detail pane, and fields that only a further
/// read would use. Empty if the state has more than a few numbers; keep such a state unpacked.
QByteArray packState(const State& state);
/// Unpacks a state. Null if packState() did not make the bytes.
StatePtr unpackState(QByteArrayView bytes, PrimitivePtr primitive);

// Read one field of a packed state without unpacking the rest.
StateRank rankOf(QByteArrayView bytes);
qint64 asOfMsOf(QByteArrayView bytes);

} // namespace lk
