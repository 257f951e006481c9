// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/planning/keptplans.h"

#include <algorithm>

namespace lk {

std::vector<quint64> KeptPlans::keep(const PlanSet& set)
{
    m_sets.push_back(set);
    m_plans += set.plans.size();
    std::vector<quint64> dropped;
    while (m_plans > m_mostPlans && m_sets.size() > 1) {
        dropped.push_back(m_sets.front().ticket);
        m_plans -= m_sets.front().plans.size();
        m_sets.pop_front();
    }
    return dropped;
}

const PlanSet* KeptPlans::find(quint64 ticket) const
{
    const auto it = std::find_if(m_sets.begin(), m_sets.end(),
                                 [&](const PlanSet& set) { return set.ticket == ticket; });
    return it == m_sets.end() ? nullptr : &*it;
}

std::optional<PlanSet> KeptPlans::take(quint64 ticket)
{
    const auto it = std::find_if(m_sets.begin(), m_sets.end(),
                                 [&](const PlanSet& set) { return set.ticket == ticket; });
    if (it == m_sets.end())
        return std::nullopt;
    PlanSet set = std::move(*it);
    m_sets.erase(it);
    m_plans -= set.plans.size();
    return set;
}

std::vector<quint64> KeptPlans::dropAll()
{
    std::vector<quint64> tickets;
    for (const PlanSet& set : m_sets)
        tickets.push_back(set.ticket);
    m_sets.clear();
    m_plans = 0;
    return tickets;
}

} // namespace lk
