// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/holdlog.h"

#include <algorithm>
#include <utility>

namespace lk {

namespace {

constexpr size_t holdsPerLock = 64;
constexpr qsizetype mostLocks = 2000;
constexpr qint64 leaseJitterMs = 150; // the most by which two reads of one lease differ in its end

} // namespace

std::vector<Hold> mergedHolds(const std::vector<Hold>& recorded, const std::vector<Hold>& memory)
{
    std::vector<Hold> all = memory;
    for (const Hold& hold : recorded) {
        const auto same = std::stable_partition(all.begin(), all.end(), [&](const Hold& other) {
            return other.owner != hold.owner || other.fromMs > hold.toMs ||
                   hold.fromMs > other.toMs;
        });
        Hold both = hold;
        for (auto it = same; it != all.end(); ++it) {
            const Hold& first = it->fromMs < both.fromMs ? *it : both;
            const Hold& last = it->toMs >= both.toMs ? *it : both;
            Hold next = last;
            next.fromMs = first.fromMs;
            next.fromKnown = first.fromKnown;
            next.renewals = std::max(it->renewals, both.renewals);
            both = std::move(next);
        }
        all.erase(same, all.end());
        all.push_back(std::move(both));
    }
    std::ranges::stable_sort(all, {}, &Hold::fromMs);
    return all;
}

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
    // A lock whose lease has expired has no holder, even while its key still exists.
    const std::vector<PresentHolder> holders = presentHolders(*lock);
    const bool seenBefore = log.seenFree || !log.holds.empty();
    const bool blind = interrupted || hasMoreHolders(*lock);
    for (Hold& hold : log.holds) {
        const auto now = std::ranges::find(holders, hold.owner, &PresentHolder::owner);
        const bool same = now != holders.end() &&
                          (!interrupted || hold.hasSameLease(*now, state.asOfMs, leaseJitterMs));
        if (!hold.open || same)
            continue;
        hold.endKnown = !blind;
        if (blind)
            hold.open = false; // it was held until it was last seen, at least
        else
            hold.close(state.asOfMs);
    }
    for (const PresentHolder& holder : holders) {
        openHold(log, holder.owner, state.asOfMs, seenBefore && !blind)
            .see(holder, state, *lock, leaseJitterMs);
    }
    log.seenFree = log.seenFree || holders.empty();
    while (log.holds.size() > holdsPerLock) { // open holds stay
        const auto oldest = std::ranges::find(log.holds, false, &Hold::open);
        if (oldest == log.holds.end())
            break;
        log.holds.erase(oldest);
    }
    evict();
}

Hold& HoldLog::openHold(Log& log, const QByteArray& owner, qint64 atMs, bool fromKnown)
{
    const auto known = std::ranges::find_if(
        log.holds, [&](const Hold& hold) { return hold.open && hold.owner == owner; });
    if (known != log.holds.end())
        return *known;
    Hold hold;
    hold.owner = owner;
    hold.fromMs = atMs;
    hold.open = true;
    hold.fromKnown = fromKnown;
    log.holds.push_back(std::move(hold));
    return log.holds.back();
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
