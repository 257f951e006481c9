// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/tombstones.h"

#include "backend/core/names/glob.h"

#include <algorithm>
#include <utility>

namespace lk {

namespace {

constexpr qint64 stayMs = 10 * 60 * 1000;
constexpr qint64 tokensStayMs = 60 * 1000;
constexpr size_t most = 2000;

bool isDeclaredByName(const Primitive& primitive)
{
    return primitive.declaration && isLiteral(primitive.declaration->pattern);
}

} // namespace

void Tombstones::saw(Handle handle, const State& state)
{
    Followed& followed = m_table[handle];
    if (state.present || state.problem) {
        if (followed.apart)
            followed.apart->gone.sinceMs = 0;
        return;
    }
    if (isDeclaredByName(*state.primitive))
        return;
    GoneEntry& gone = followed.ownApart().gone;
    if (gone.sinceMs == 0) {
        gone.sinceMs = state.asOfMs;
        gone.token = state.kind() == Kind::Token;
        if (!std::exchange(gone.listed, true))
            m_gone.push_back(handle);
    }
}

std::vector<Handle> Tombstones::takeDue(qint64 nowMs)
{
    std::vector<Handle> due;
    std::vector<std::pair<qint64, Handle>> rest;
    for (const Handle handle : std::exchange(m_gone, {})) {
        Followed* followed = m_table.find(handle);
        if (!followed || !followed->apart)
            continue; // the place was reused
        GoneEntry& gone = followed->apart->gone;
        gone.listed = false;
        if (gone.sinceMs == 0)
            continue;                                 // it came back
        gone.sinceMs = std::min(gone.sinceMs, nowMs); // the clock was set back
        if (nowMs - gone.sinceMs > (gone.token ? tokensStayMs : stayMs))
            due.push_back(handle);
        else
            rest.emplace_back(gone.sinceMs, handle);
    }
    std::sort(rest.begin(), rest.end());
    const size_t tooMany = rest.size() > most ? rest.size() - most : 0;
    for (size_t i = 0; i < rest.size(); ++i) {
        const Handle handle = rest[i].second;
        if (i < tooMany) {
            due.push_back(handle);
        } else {
            m_table[handle].apart->gone.listed = true;
            m_gone.push_back(handle);
        }
    }
    for (const Handle handle : due)
        m_table[handle].apart->gone.sinceMs = 0;
    return due;
}

} // namespace lk
