// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// What orders states by how bad they are.
struct StateRank
{
    Health health = Health::Idle;
    double urgency = 0;
};

/// What rows, reports, rules and the next read ask of a state, in some fifty bytes: all but the
/// marks in a limiter's window, the facts of a detail pane, and what only a further read would use.
/// Empty for one that has more to say than a number or two: it is to be kept as it is.
QByteArray packState(const State& state);
/// As it was packed. Null for bytes that packState() did not make.
StatePtr unpackState(QByteArrayView bytes, PrimitivePtr primitive);

// Of these bytes, without unpacking the rest.
StateRank rankOf(QByteArrayView bytes);
qint64 asOfMsOf(QByteArrayView bytes);

} // namespace lk
