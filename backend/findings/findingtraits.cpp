// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/findingtraits.h"

#include "backend/findings/findings.h"
#include "backend/findings/livefindings.h"
#include "backend/redis/redlock/redlockfindings.h"

#include <algorithm>

namespace lk {

bool isAboutUnread(const Finding& finding)
{
    return finding.code == "not-readable";
}

bool isAboutSettings(const Finding& finding)
{
    return finding.code == "uneven-durability" || finding.code == "uneven-eviction";
}

bool isAboutOneOfSeveralJobs(const Finding& finding)
{
    return finding.code == "queue-duplicates";
}

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

QString staleReplicaText(const ServerFacts& server)
{
    for (const Finding& finding : findingsOfServer(server)) {
        if (finding.code == "replica-stale")
            return finding.message;
    }
    return {};
}

} // namespace lk
