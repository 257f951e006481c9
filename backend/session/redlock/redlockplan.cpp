// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/redlock/redlockplan.h"

#include <algorithm>

namespace lk {

int RedlockPlan::failures() const
{
    return int(std::count_if(left.begin(), left.end(), [](const Left& l) { return l.isFailure; }));
}

QStringList RedlockPlan::rows() const
{
    QStringList all = endpoints;
    for (const Left& each : left)
        all << each.endpoint;
    return all;
}

} // namespace lk
