// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/findingtraits.h"

#include "backend/findings/livefindings.h"
#include "backend/findings/rules.h"

#include <algorithm>

namespace lk {

bool isOfRedlock(const Finding& finding)
{
    const auto rules = redlockRules();
    return std::any_of(rules.begin(), rules.end(),
                       [&](const RedlockRule& rule) { return finding.code == rule.line.code; });
}

std::optional<Finding::Severity> worstOfRedlock(const LiveFindings& findings)
{
    std::optional<Finding::Severity> worst;
    for (const RedlockRule& rule : redlockRules()) {
        if (findings.byCode.contains(rule.line.code))
            worst = std::max(worst, std::optional(rule.line.severity));
    }
    return worst;
}

} // namespace lk
