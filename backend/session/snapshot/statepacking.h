// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/snapshot/statesequence.h"

#include <QByteArray>

namespace lk {

/// What a report says of a state, in some fifty bytes: all but the marks in a limiter's window, the
/// facts of a detail pane, and what only a further read would use. Empty for one that has more to
/// say than a number or two: it is to be kept as it is.
QByteArray packState(const State& state);
/// As it was packed. Null for bytes that packState() did not make.
StatePtr unpackState(QByteArrayView bytes, PrimitivePtr primitive);
/// Of these bytes, without unpacking them.
StateSequence::Rank rankOf(QByteArrayView bytes);

} // namespace lk
