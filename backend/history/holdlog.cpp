// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/holdlog.h"

#include <algorithm>

namespace lk {

namespace {

constexpr size_t holdsPerLock = 64;
constexpr qsizetype mostLocks = 2000;

} // namespace

void HoldLog::append(Handle handle, const State& state)
{
    const auto* lock = state.as<LockState>();
    if (!lock || state.problem)
        return;
    Log& log = m_logs[handle];
    if (state.asOfMs <= log.lastMs)
        return;
    log.lastMs = state.asOfMs;
    Hold* last = log.holds.empty() ? nullptr : &log.holds.back();
    // A lock whose time has run out has no holder, even while its key is still there.
    const bool held = lock->phase == LockState::Phase::Held
                      || lock->phase == LockState::Phase::Immortal;
    const bool same = held && last && last->open && last->owner == lock->owner;
    if (last && last->open && !same) {
        // A lease that ended in between says exactly when; a release is only known to the poll.
        last->open = false;
        last->toMs = last->leaseEndMs ? std::min(*last->leaseEndMs, state.asOfMs) : state.asOfMs;
    }
    if (held) {
        if (!same) {
            log.holds.push_back({lock->owner, state.asOfMs, state.asOfMs, {}, false, true,
                                 log.seenFree || last != nullptr, 0});
            if (log.holds.size() > holdsPerLock)
                log.holds.pop_front();
            last = &log.holds.back();
        }
        last->toMs = state.asOfMs;
        last->leaseEndMs = lock->leaseMs ? std::optional(state.asOfMs + *lock->leaseMs)
                                         : std::nullopt;
        last->immortal = lock->phase == LockState::Phase::Immortal;
        last->renewals = state.observed.renewals;
    } else {
        log.seenFree = true;
    }
    evict();
}

std::vector<Hold> HoldLog::holds(Handle handle) const
{
    const auto it = m_logs.constFind(handle);
    return it == m_logs.cend() ? std::vector<Hold>()
                               : std::vector<Hold>(it->holds.begin(), it->holds.end());
}

void HoldLog::evict()
{
    if (m_logs.size() <= mostLocks)
        return;
    auto oldest = m_logs.begin();
    for (auto it = m_logs.begin(); it != m_logs.end(); ++it) {
        if (it->lastMs < oldest->lastMs)
            oldest = it;
    }
    m_logs.erase(oldest);
}

} // namespace lk
