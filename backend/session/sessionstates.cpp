// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionstates.h"

#include <algorithm>

namespace lk {

QHash<PrimitiveId, Handle> SessionStates::handlesOf(const QSet<PrimitiveId>& ids) const
{
    QHash<PrimitiveId, Handle> handles;
    for (const auto& [handle, state] : m_all) {
        if (ids.contains(state.primitive()->id))
            handles.insert(state.primitive()->id, handle);
    }
    return handles;
}

bool SessionStates::hasOneOf(const Primitive& primitive, const QSet<QByteArray>& keys)
{
    return std::any_of(primitive.keys.begin(), primitive.keys.end(),
                       [&](const KeyRole& role) { return keys.contains(role.key); });
}

std::vector<Handle> SessionStates::handlesWith(const QSet<QByteArray>& keys) const
{
    std::vector<Handle> handles;
    for (const auto& [handle, state] : m_all) {
        if (hasOneOf(*state.primitive(), keys))
            handles.push_back(handle);
    }
    return handles;
}

void SessionStates::apply(const DeltaPtr& delta, quint64 generation)
{
    if (delta->generation == generation) {
        for (const StateChange& change : delta->changes) {
            // A primitive that was forgotten during an outage was not reported here.
            if (const Handle last = m_all.at(change.handle.index); last != change.handle)
                forget(last);
            if (!change.state) {
                forget(change.handle);
                continue;
            }
            KeptState& place = m_all[change.handle];
            m_count += place ? 0 : 1;
            place = change.keep();
        }
        emit changed(delta);
    }
    if (delta->possible) {
        m_possible = delta->possible;
        emit possibleChanged();
    }
}

void SessionStates::forget(Handle handle)
{
    if (handle == noHandle)
        return;
    m_count -= m_all.contains(handle) ? 1 : 0;
    m_all.erase(handle);
    emit forgotten(handle);
}

} // namespace lk
