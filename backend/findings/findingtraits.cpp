// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/findingtraits.h"

#include "backend/findings/findings.h"

namespace lk {

bool tellsOfUnread(const Finding& finding)
{
    return finding.code == "not-readable";
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
