// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/findings/settings.h"

#include <QCoreApplication>

#include <memory>
#include <span>

namespace lk {

struct RedlockReport;

/// Texts of findings. The texts in the tables below are translated on use.
struct FindingText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Finding)
};

/// The result of a rule: the message, and the fields that differ from the rule's own line.
struct RuleMatch
{
    QString message; ///< translated: the fact, with its numbers; empty if nothing was found
    QByteArray key;  ///< empty for the primitive's main key
    QByteArray name; ///< empty for the primitive's; required from rules over several states
    std::optional<Finding::Severity> severity;
    std::optional<QByteArray> action;
    /// Required from rules over several states: the key's kind, and whether name is a pattern.
    Kind kind = Kind::Limiter;
    bool group = false;
};

/// The result for one state. Usually it is nothing, which spares making an empty match.
using Seen = std::optional<RuleMatch>;

/// The fields that all rules have.
struct RuleLine
{
    const char* code;
    Finding::Severity severity;
    const char* action;        ///< the id of the action that fixes it; empty if none does
    const char* why;           ///< why it matters, before translation
    const char* advice;        ///< advice on the fix, before translation
    bool needsHistory = false; ///< found only by repeated reads
    Finding::About about = Finding::About::Data;
    const char* context = "lk::Finding"; ///< of the translations of why and advice
};

/// A rule for a single state. Pure; finds nothing if the state does not contain the data.
struct StateRule
{
    RuleLine line;
    Seen (*judge)(const State&, const CheckThresholds&);
    bool ofProblems = false; ///< reads only states that could not be read
};

/// Searches the states of one snapshot for a hazard that shows only across several. Takes each
/// state once, in any order, and keeps no more of it than necessary.
class CrossStateJudge
{
public:
    virtual ~CrossStateJudge() = default;
    virtual void take(const State&) {}
    /// Returns the matches after all states were taken.
    virtual std::vector<RuleMatch> matches(const ScanCounts& scan) = 0;
};

/// A rule across several states. The facts and thresholds must outlive the judge.
struct SnapshotRule
{
    RuleLine line;
    std::unique_ptr<CrossStateJudge> (*begin)(const ServerFacts&, const CheckThresholds&);
};

template<typename Judge>
std::unique_ptr<CrossStateJudge> beginAcross(const ServerFacts& server,
                                             const CheckThresholds& thresholds)
{
    return std::make_unique<Judge>(server, thresholds);
}

/// A rule for the server itself, independent of its keys. Pure.
struct ServerRule
{
    RuleLine line;
    RuleMatch (*judge)(const ServerFacts&);
};

/// A rule for one master of a cluster or for a single server, independent of its keys. Pure.
struct NodeRule
{
    RuleLine line;
    RuleMatch (*judge)(const NodeFacts&, const ServerFacts&);
};

/// A rule for a group of servers that hold locks together, and for these locks. Pure.
struct RedlockRule
{
    RuleLine line;
    std::vector<RuleMatch> (*judge)(const RedlockReport&);
};

/// Limits the severity for a primitive whose recognition is not certain: it is then no error.
Finding::Severity atMost(Finding::Severity severity, const Primitive& primitive);

// The tables, each in the file of that name.
std::span<const ServerRule> serverRules();
std::span<const NodeRule> nodeRules();
std::span<const RedlockRule> redlockRules();
std::span<const StateRule> lockRules();
std::span<const StateRule> limiterRules();
std::span<const StateRule> queueRules();
std::span<const StateRule> tokenRules();
std::span<const StateRule> patternRules();
std::span<const StateRule> keyRules(); ///< for all kinds
std::span<const SnapshotRule> limiterSnapshotRules();
std::span<const SnapshotRule> tokenSnapshotRules();
std::span<const SnapshotRule> keySnapshotRules();
std::span<const SnapshotRule> scanSnapshotRules(); ///< for parts that could not be read

} // namespace lk
