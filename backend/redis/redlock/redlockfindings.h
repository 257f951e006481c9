// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/redlock/redlockreport.h"

#include <span>

namespace lk {

/// A code that a finding of a group may have, with its severity.
struct RedlockCode
{
    const char* code;
    Finding::Severity severity;
};
/// All of them, in the order in which they are found.
std::span<const RedlockCode> redlockCodes();
bool isRedlockCode(const QByteArray& code);

/// The hazards that a group's report shows: servers that are no votes of their own first, then too
/// few that answer, then its locks. Pure.
std::vector<Finding> redlockFindings(const RedlockReport& report);

/// Those of a report that the one before, of the same group, shows as well. Whoever acquires a lock
/// or releases it has it on too few servers for a moment, and that is no hazard. Pure.
std::vector<Finding> lastingRedlockFindings(const RedlockReport& report,
                                            const RedlockReport& before);

/// Gives a finding of a group that was kept without them the texts of its code: why it matters,
/// and what to do. Translated.
void explainRedlock(Finding& finding);

} // namespace lk
