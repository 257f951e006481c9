// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/tombstones.h"

#include "backend/core/glob.h"

#include <algorithm>

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
    if (state.present || state.problem)
        m_gone.remove(handle);
    else if (!m_gone.contains(handle) && !isDeclaredByName(*state.primitive))
        m_gone.insert(handle, {state.asOfMs, state.kind() == Kind::Token});
}

std::vector<Handle> Tombstones::takeDue(qint64 nowMs)
{
    std::vector<Handle> due;
    std::vector<std::pair<qint64, Handle>> rest;
    for (auto it = m_gone.begin(); it != m_gone.end(); ++it) {
        it->sinceMs = std::min(it->sinceMs, nowMs); // the clock was set back
        if (nowMs - it->sinceMs > (it->token ? tokensStayMs : stayMs))
            due.push_back(it.key());
        else
            rest.emplace_back(it->sinceMs, it.key());
    }
    if (rest.size() > most) {
        std::sort(rest.begin(), rest.end());
        for (size_t i = 0; i < rest.size() - most; ++i)
            due.push_back(rest[i].second);
    }
    for (const Handle handle : due)
        m_gone.remove(handle);
    return due;
}

} // namespace lk
