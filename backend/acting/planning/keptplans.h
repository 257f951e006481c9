// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/planning/planset.h"

#include <deque>
#include <optional>

namespace lk {

/// Plans that were shown and wait to be agreed to, by their ticket. Bounded: the oldest give way to
/// new ones. A value; belongs to the executor.
class KeptPlans
{
public:
    explicit KeptPlans(size_t mostPlans = 2 * PlanRequest::mostTargets)
        : m_mostPlans(mostPlans)
    {}

    /// The tickets of those that gave way.
    std::vector<quint64> keep(const PlanSet& set);
    /// Null if there are none (any more).
    const PlanSet* find(quint64 ticket) const;
    /// They are kept no longer: what is run is run once.
    std::optional<PlanSet> take(quint64 ticket);
    /// The tickets of all that there were.
    std::vector<quint64> dropAll();

private:
    size_t m_mostPlans;
    size_t m_plans = 0;         ///< in all sets
    std::deque<PlanSet> m_sets; ///< oldest first
};

} // namespace lk
