// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/findings/settings.h"

#include <QCoreApplication>

#include <memory>
#include <span>

namespace lk {

/// Texts of findings. What stands in the tables below is translated where it is used.
struct FindingText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Finding)
};

/// What a rule saw. Besides the message only what differs from the rule's own line.
struct RuleMatch
{
    QString message; ///< translated: the fact, with its numbers; empty: nothing was seen
    QByteArray key;  ///< empty: the primitive's main key
    QByteArray name; ///< empty: the primitive's; needed by rules over several states
    std::optional<Finding::Severity> severity;
    std::optional<QByteArray> action;
    /// Needed by rules over several states: what the key belongs to, and whether name is a pattern.
    Kind kind = Kind::Limiter;
    bool group = false;
};

/// Of one state; nothing, as nearly always, is told without making an empty match.
using Seen = std::optional<RuleMatch>;

/// What all rules have.
struct RuleLine
{
    const char* code;
    Finding::Severity severity;
    const char* action;        ///< the action's id; empty: none fixes it
    const char* why;           ///< why it matters, before translation
    const char* advice;        ///< what to do, before translation
    bool needsHistory = false; ///< only who reads again and again can see it
    Finding::About about = Finding::About::Data;
};

/// A hazard that one state shows. Pure; silent where the state does not tell.
struct StateRule
{
    RuleLine line;
    Seen (*judge)(const State&, const CheckThresholds&);
    bool ofProblems = false; ///< looks at states that could not be read, and at no others
};

/// Looks at the states of one snapshot for a hazard that shows only in several. It is shown each of
/// them once, in any order, and keeps no more of them than it has to.
class CrossStateJudge
{
public:
    virtual ~CrossStateJudge() = default;
    virtual void take(const State&) {}
    /// Once all were shown.
    virtual std::vector<RuleMatch> matches(const ScanCounts& scan) = 0;
};

/// A hazard that shows only in several states. The facts and thresholds outlive the judge.
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

/// A hazard that the server itself shows, whatever its keys hold. Pure.
struct ServerRule
{
    RuleLine line;
    RuleMatch (*judge)(const ServerFacts&);
};

/// A hazard that one master of a cluster, or a server alone, shows, whatever its keys hold. Pure.
struct NodeRule
{
    RuleLine line;
    RuleMatch (*judge)(const NodeFacts&, const ServerFacts&);
};

/// No error is told of what is not certain: what is merely likely may be something else.
Finding::Severity atMost(Finding::Severity severity, const Primitive& primitive);

// The tables, each in the file of that name.
std::span<const ServerRule> serverRules();
std::span<const NodeRule> nodeRules();
std::span<const StateRule> lockRules();
std::span<const StateRule> limiterRules();
std::span<const StateRule> queueRules();
std::span<const StateRule> tokenRules();
std::span<const StateRule> patternRules();
std::span<const StateRule> keyRules(); ///< of any kind
std::span<const SnapshotRule> limiterSnapshotRules();
std::span<const SnapshotRule> tokenSnapshotRules();
std::span<const SnapshotRule> keySnapshotRules();
std::span<const SnapshotRule> scanSnapshotRules(); ///< of what could not be read

} // namespace lk
