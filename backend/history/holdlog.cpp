// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/holdlog.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace lk {

namespace {

constexpr size_t holdsPerLock = 64;
constexpr qsizetype mostLocks = 2000;
constexpr qint64 leaseJitterMs = 150; // by which two reads of one lease differ in its end

bool isSameLease(const Hold& hold, const LockState& lock, qint64 atMs)
{
    return hold.leaseEndMs && lock.leaseMs &&
           std::abs(atMs + *lock.leaseMs - *hold.leaseEndMs) <= leaseJitterMs;
}

void close(Hold& hold, qint64 seenMs, bool interrupted)
{
    hold.open = false;
    if (interrupted) {
        hold.endKnown = false;
        return;
    }
    // A lease that ended in between says exactly when; a release is only known to the poll.
    hold.toMs = hold.leaseEndMs ? std::min(*hold.leaseEndMs, seenMs) : seenMs;
}

} // namespace

void HoldLog::append(Handle handle, const State& state, qint64 silenceMs)
{
    const auto* lock = state.as<LockState>();
    if (!lock || state.problem)
        return;
    Log& log = m_logs[handle];
    if (state.asOfMs <= log.lastMs)
        return;
    const bool silent = log.lastMs > 0 && state.asOfMs - log.lastMs > silenceMs;
    const bool interrupted = std::exchange(log.interrupted, false) || silent;
    log.lastMs = state.asOfMs;
    Hold* last = log.holds.empty() ? nullptr : &log.holds.back();
    // A lock whose time has run out has no holder, even while its key is still there.
    const bool held =
        lock->phase == LockState::Phase::Held || lock->phase == LockState::Phase::NoTtl;
    const bool same = held && last && last->open && last->owner == lock->owner &&
                      (!interrupted || isSameLease(*last, *lock, state.asOfMs));
    if (last && last->open && !same)
        close(*last, state.asOfMs, interrupted);
    if (held) {
        if (!same) {
            Hold hold;
            hold.owner = lock->owner;
            hold.fromMs = state.asOfMs;
            hold.open = true;
            hold.fromKnown = !interrupted && (log.seenFree || last);
            log.holds.push_back(hold);
            if (log.holds.size() > holdsPerLock)
                log.holds.pop_front();
            last = &log.holds.back();
        }
        last->toMs = state.asOfMs;
        last->leaseEndMs =
            lock->leaseMs ? std::optional(state.asOfMs + *lock->leaseMs) : std::nullopt;
        last->noTtl = lock->phase == LockState::Phase::NoTtl;
        last->renewals = state.observed.renewals;
    } else {
        log.seenFree = true;
    }
    evict();
}

void HoldLog::gapAll()
{
    for (Log& log : m_logs)
        log.interrupted = log.lastMs > 0;
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
