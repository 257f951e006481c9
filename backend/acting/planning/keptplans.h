// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/planning/planset.h"

#include <deque>
#include <optional>

namespace lk {

/// Plans that wait for the user's confirmation, by their ticket. Bounded: new plans replace the
/// oldest ones. A value; belongs to the executor.
class KeptPlans
{
public:
    explicit KeptPlans(size_t mostPlans = 2 * PlanRequest::mostTargets)
        : m_mostPlans(mostPlans)
    {}

    /// Adds plans. Returns the tickets of the dropped ones.
    std::vector<quint64> keep(const PlanSet& set);
    /// Null if there are none (any more).
    const PlanSet* find(quint64 ticket) const;
    /// Removes the plans and returns them: plans are run only once.
    std::optional<PlanSet> take(quint64 ticket);
    /// Drops all plans and returns their tickets.
    std::vector<quint64> dropAll();

private:
    size_t m_mostPlans;
    size_t m_plans = 0;         ///< in all sets
    std::deque<PlanSet> m_sets; ///< oldest first
};

} // namespace lk
