// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

namespace lk {

struct LiveFindings;
struct RedlockReport;

// Properties of findings, for callers that do not know the rules' codes. Pure.

/// True if it concerns a group of servers that hold locks together, or such a lock. No state of the
/// session contains it.
bool isOfRedlock(const Finding& finding);
/// Returns the worst severity of all those, without silenced ones. Nothing if there are none.
std::optional<Finding::Severity> worstOfRedlock(const LiveFindings& findings);

/// Returns the hazards in a group's report: first servers without an independent vote, then too few
/// answering servers, then its locks.
std::vector<Finding> redlockFindings(const RedlockReport& report);
/// Returns the findings of a report that the group's previous report contains as well. While a
/// client acquires or releases a lock, it has it on too few servers for a moment, which is no
/// hazard.
std::vector<Finding> lastingRedlockFindings(const RedlockReport& report,
                                            const RedlockReport& before);

/// Returns why a replica's values are old. Empty if they are not. Translated.
QString staleReplicaText(const ServerFacts& server);

} // namespace lk
