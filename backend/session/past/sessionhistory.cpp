// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/past/sessionhistory.h"

#include "backend/core/names/redactedname.h"

namespace lk {

SessionHistory::~SessionHistory() = default;

PrimitiveId recordedIdOf(const Primitive& primitive)
{
    return {primitive.id.layout, redactedKey(primitive.kind, primitive.id.name)};
}

} // namespace lk
