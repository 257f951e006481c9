// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/findings/settings.h"

#include <optional>
#include <span>

namespace lk {

/// What is absent is in no snapshot and shows no hazard, unless the operator declared it by its
/// plain name and zero is a fact about it.
bool isReported(const State& state);

/// The hazards that one state shows, in the order of the rules. Pure.
std::vector<Finding> findingsOf(const State& state, const CheckThresholds& thresholds = {});

/// The hazards that show only between the states of a snapshot: one finding for each group of
/// tokens or keys that it concerns. Pure.
std::vector<Finding> findingsAcross(const Snapshot& snapshot,
                                    const CheckThresholds& thresholds = {});

/// What was not read of a snapshot: what the scan itself could not, and the primitives that were
/// detected but not read.
std::vector<Missing> missingOf(std::span<const StatePtr> states, std::span<const Missing> scanned);
/// What stands in a finding of it for the key: "+lrange", "other-nodes".
QByteArray missingKey(const Missing& missing);
/// One sentence for a person. Translated.
QString missingText(const Missing& missing, const ScanCounts& scan);

/// The hazards of the server itself, under its endpoint for a name; of a cluster, those of each
/// master under its own. Pure.
std::vector<Finding> findingsOfServer(const ServerFacts& server);

/// Gives a finding that was kept without them the texts of its code, and what it is about: why it
/// matters, and what to do. Translated; of a code that no rule has any more nothing.
void explainFinding(Finding& finding);

/// The worst severity among them; nothing if there is none.
std::optional<Finding::Severity> worst(const std::vector<Finding>& findings);

QByteArray
kindIdOf(const Finding& finding); ///< "lock"; "server" where it concerns the server itself
QByteArray severityId(Finding::Severity severity); ///< "info", "warning", "error"
QString severityWord(Finding::Severity severity);  ///< the same for people; translated

/// A code that a finding may have, with the severity it usually has.
struct KnownFinding
{
    QByteArray code;
    Finding::Severity severity = Finding::Severity::Info;
    bool needsHistory = false; ///< a single snapshot never finds it
    bool ofRedlock = false;    ///< of groups of servers: found where any are declared
};
/// Every code there is, each once, in the order of the rules.
const std::vector<KnownFinding>& knownFindings();

} // namespace lk
