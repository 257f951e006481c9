// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

namespace lk {

/// The name under which a primitive is recorded: a token's without its code.
PrimitiveId recordedId(const Primitive& primitive);

/// What is recorded of the primitive itself, tokens' names and keys without their codes.
QByteArray encodePrimitive(const Primitive& primitive);
/// Null: it is not whole, or of a newer version.
PrimitivePtr decodePrimitive(QByteArrayView bytes);

/// A state without its primitive and without what is secret or weighs much: payloads, lock values
/// that are no owners, the rows of patterns, the jobs' times. Two states of the same matter at
/// different moments differ in few bytes or none.
QByteArray encodeState(const State& state);
/// Null: it is not whole, or of a newer version, or of another kind than the primitive.
StatePtr decodeState(QByteArrayView bytes, PrimitivePtr primitive, qint64 asOfMs);

} // namespace lk
