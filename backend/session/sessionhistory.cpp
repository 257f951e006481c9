// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionhistory.h"

#include "backend/core/redactedname.h"
#include "backend/session/session.h"
#include "backend/session/sessionstates.h"

#include <algorithm>

namespace lk {

SessionHistory::~SessionHistory() = default;

PrimitiveId recordedIdOf(const Primitive& primitive)
{
    return {primitive.id.layout, redactedKey(primitive.kind, primitive.id.name)};
}

Handle handleOfRecorded(const Session& session, Kind kind, const PrimitiveId& id)
{
    if (id.name.isEmpty())
        return noHandle;
    const auto hasKey = [&](const Primitive& primitive) {
        return std::ranges::any_of(primitive.keys, [&](const KeyRole& role) {
            return redactedKey(kind, role.key) == id.name;
        });
    };
    for (const auto& [handle, state] : session.states().all()) {
        const Primitive& primitive = *state.primitive();
        if (primitive.kind != kind)
            continue;
        const PrimitiveId its = recordedIdOf(primitive);
        if (its == id || (id.layout.isEmpty() && (its.name == id.name || hasKey(primitive))))
            return handle;
    }
    return noHandle;
}

} // namespace lk
