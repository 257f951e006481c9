// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/derived/presentholders.h"

#include <algorithm>

namespace lk {

std::vector<PresentHolder> presentHolders(const LockState& lock)
{
    using Phase = LockState::Phase;
    if (lock.phase != Phase::Held && lock.phase != Phase::NoTtl)
        return {};
    std::vector<PresentHolder> present;
    for (const LockHolder& holder : lock.holders) {
        const bool over = holder.leaseMs && *holder.leaseMs <= 0;
        if (over)
            continue;
        const auto known = std::ranges::find(present, holder.name, &PresentHolder::owner);
        if (known == present.end())
            present.push_back({holder.name, holder.leaseMs});
        else // a holder of several permits holds until the last lease ends
            known->leaseMs = holder.leaseMs;
    }
    if (present.empty())
        present.push_back({lock.ownerKnown ? lock.owner : QByteArray(), lock.leaseMs});
    else if (present.size() == 1 && !present[0].leaseMs)
        present[0].leaseMs = lock.leaseMs;
    return present;
}

bool isExclusive(const LockState& lock)
{
    return !lock.shared && lock.limit == qint64(1);
}

bool hasMoreHolders(const LockState& lock)
{
    return lock.holdersTotal > qint64(lock.holders.size());
}

} // namespace lk
