// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// Returns the id under which a primitive is recorded: a token's name without its code.
PrimitiveId recordedId(const Primitive& primitive);

/// Encodes the primitive itself, with the names and keys of tokens without their codes.
QByteArray encodePrimitive(const Primitive& primitive);
/// Returns null if the bytes are incomplete or of a newer version.
PrimitivePtr decodePrimitive(QByteArrayView bytes);

/// Encodes a state without its primitive and without secret or large data; see statefields.h. If a
/// primitive has not changed, its encoded states at different moments differ in few bytes or none.
QByteArray encodeState(const State& state);
/// Returns null if the bytes are incomplete, of a newer version, or of another kind than the
/// primitive.
StatePtr decodeState(QByteArrayView bytes, PrimitivePtr primitive, qint64 asOfMs);

} // namespace lk
