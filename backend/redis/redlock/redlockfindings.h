// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/redlock/redlockreport.h"

#include <span>

namespace lk {

/// A code that a group's finding may have, with its severity.
struct RedlockCode
{
    const char* code;
    Finding::Severity severity;
};
/// Returns all codes, in the order in which they are detected.
std::span<const RedlockCode> redlockCodes();
bool isRedlockCode(const QByteArray& code);

/// Returns the hazards in a group's report: first servers without an independent vote, then too few
/// answering servers, then its locks. Pure.
std::vector<Finding> redlockFindings(const RedlockReport& report);

/// Returns the findings of a report that the group's previous report contains as well. While a
/// client acquires or releases a lock, it has it on too few servers for a moment, which is no
/// hazard. Pure.
std::vector<Finding> lastingRedlockFindings(const RedlockReport& report,
                                            const RedlockReport& before);

/// Adds the texts of its code (why it matters, and what to do) to a group's finding that was stored
/// without them. Translated.
void explainRedlock(Finding& finding);

} // namespace lk
