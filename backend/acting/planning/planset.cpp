// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/planning/planset.h"

#include <algorithm>

namespace lk {

// An undo is of one receipt, whatever it is about.
bool isOfOne(const PlanSet& set)
{
    return set.plans.size() == 1 ||
           (!set.plans.empty() && set.action != "undo" && set.refused.empty() &&
            std::all_of(set.plans.begin(), set.plans.end(), [&](const Plan& plan) {
                return plan.name == set.plans.front().name &&
                       plan.layout == set.plans.front().layout;
            }));
}

} // namespace lk
