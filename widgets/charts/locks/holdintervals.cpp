// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/locks/holdintervals.h"

#include "backend/core/names/keyname.h"

namespace lk {

namespace {
constexpr int mostOwnerCharacters = 60;
} // namespace

std::vector<HoldInterval> holdIntervals(const std::vector<Hold>& holds, const QString& lane)
{
    std::vector<HoldInterval> intervals;
    intervals.reserve(holds.size());
    for (const Hold& hold : holds)
        intervals.push_back({lane, displayPreview(hold.owner, mostOwnerCharacters), hold.fromMs,
                             hold.toMs, hold.leaseEndMs, hold.noTtl, hold.renewals, hold.open,
                             hold.fromKnown, hold.endKnown});
    return intervals;
}

} // namespace lk
