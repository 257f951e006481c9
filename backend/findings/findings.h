// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/findings/settings.h"

#include <optional>
#include <span>

namespace lk {

/// True if the state appears in snapshots and findings. An absent primitive does not, unless the
/// operator declared it by its plain name and zero is a fact about it.
bool isReported(const State& state);

/// Returns the findings of one state, in the order of the rules. Pure.
std::vector<Finding> findingsOf(const State& state, const CheckThresholds& thresholds = {});

/// Returns the findings that show only across the states of a snapshot: one for each affected group
/// of tokens or keys. Pure.
std::vector<Finding> findingsAcross(const Snapshot& snapshot,
                                    const CheckThresholds& thresholds = {});

/// Returns the parts of a snapshot that were not read: those that the scan could not read, and the
/// primitives that were detected but not read.
std::vector<Missing> missingOf(std::span<const StatePtr> states, std::span<const Missing> scanned);
/// Returns the key of a finding about a missing part: "+lrange", "other-nodes".
QByteArray missingKey(const Missing& missing);
/// Returns one sentence for the user. Translated.
QString missingText(const Missing& missing, const ScanCounts& scan);

/// Returns the findings of the server itself, named by its endpoint. In a cluster, the findings of
/// each master are named by the master's endpoint. Pure.
std::vector<Finding> findingsOfServer(const ServerFacts& server);

/// Sets the fields of a finding that follow from its code and are not stored: why, advice and
/// about. The texts are translated. Sets nothing if no rule has the code any more.
void explainFinding(Finding& finding);

/// Returns the worst severity; nothing if there is no finding.
std::optional<Finding::Severity> worst(const std::vector<Finding>& findings);

QByteArray kindIdOf(const Finding& finding); ///< "lock"; "server" if it concerns the server itself
QByteArray severityId(Finding::Severity severity); ///< "info", "warning", "error"
QString severityWord(Finding::Severity severity);  ///< for display; translated

/// A code that a finding may have, with the severity it usually has.
struct KnownFinding
{
    QByteArray code;
    Finding::Severity severity = Finding::Severity::Info;
    bool needsHistory = false; ///< a single snapshot never finds it
    bool ofRedlock = false;    ///< concerns groups of servers: found only if any are declared
};
/// Returns all codes, each once, in the order of the rules.
const std::vector<KnownFinding>& knownFindings();

} // namespace lk
