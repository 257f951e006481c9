// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/metrics/owncost.h"

#include "backend/platform/process.h"

namespace lk {

OwnCost ownCost()
{
    OwnCost cost;
    cost.cpuSeconds = cpuSeconds();
    cost.residentBytes = residentBytes();
    return cost;
}

} // namespace lk
