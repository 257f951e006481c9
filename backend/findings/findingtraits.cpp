// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/findingtraits.h"

#include "backend/findings/livefindings.h"
#include "backend/redis/redlock/redlockfindings.h"

#include <algorithm>

namespace lk {

bool isOfRedlock(const Finding& finding)
{
    return isRedlockCode(finding.code);
}

std::optional<Finding::Severity> worstOfRedlock(const LiveFindings& findings)
{
    std::optional<Finding::Severity> worst;
    for (const RedlockCode& line : redlockCodes()) {
        if (findings.byCode.contains(line.code))
            worst = std::max(worst, std::optional(line.severity));
    }
    return worst;
}

} // namespace lk
