// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/findings.h"

#include "backend/core/names/glob.h"
#include "backend/findings/crossstatefindings.h"
#include "backend/findings/findingtraits.h"
#include "backend/findings/rules.h"

#include <algorithm>
#include <array>

namespace lk {

namespace {

using Severity = Finding::Severity;

std::span<const StateRule> rulesOf(Kind kind)
{
    switch (kind) {
    case Kind::Limiter:
        return limiterRules();
    case Kind::Lock:
        return lockRules();
    case Kind::Queue:
        return queueRules();
    case Kind::Token:
        return tokenRules();
    case Kind::Pattern:
        break;
    }
    return patternRules();
}

std::array<std::span<const SnapshotRule>, 4> acrossRules()
{
    return {limiterSnapshotRules(), tokenSnapshotRules(), keySnapshotRules(), scanSnapshotRules()};
}

// Null: none of them has that code.
template<typename Rule> const RuleLine* lineOf(std::span<const Rule> rules, const QByteArray& code)
{
    const auto it = std::find_if(rules.begin(), rules.end(),
                                 [&](const Rule& rule) { return code == rule.line.code; });
    return it == rules.end() ? nullptr : &it->line;
}

Finding findingOf(const RuleLine& line, RuleMatch seen)
{
    Finding finding{line.code,
                    seen.severity.value_or(line.severity),
                    std::move(seen.name),
                    std::move(seen.key),
                    std::move(seen.message),
                    QCoreApplication::translate(line.context, line.why),
                    QCoreApplication::translate(line.context, line.advice),
                    seen.action.value_or(line.action),
                    false,
                    seen.kind,
                    seen.group};
    finding.about = line.about;
    return finding;
}

} // namespace

Severity atMost(Severity severity, const Primitive& primitive)
{
    const bool sure = primitive.certainty() >= Certainty::Certain;
    return severity == Severity::Error && !sure ? Severity::Warning : severity;
}

bool isReported(const State& state)
{
    if (state.present || state.problem)
        return true;
    const DeclarationPtr& declaration = state.primitive->declaration;
    const bool zeroIsAFact = state.kind() == Kind::Limiter || state.kind() == Kind::Queue;
    return zeroIsAFact && declaration && isLiteral(declaration->pattern);
}

std::vector<Finding> findingsOf(const State& state, const CheckThresholds& thresholds)
{
    std::vector<Finding> found;
    const Primitive& primitive = *state.primitive;
    for (const std::span<const StateRule> rules : {rulesOf(primitive.kind), keyRules()}) {
        for (const StateRule& rule : rules) {
            // An unreadable state has defaults where it should have facts.
            if (state.problem.has_value() != rule.ofProblems)
                continue;
            Seen seen = rule.judge(state, thresholds);
            if (!seen || seen->message.isEmpty())
                continue;
            if (seen->key.isEmpty())
                seen->key = primitive.keys.empty() ? primitive.id.name : primitive.keys.front().key;
            seen->name = primitive.name();
            seen->kind = primitive.kind;
            seen->severity = atMost(seen->severity.value_or(rule.line.severity), primitive);
            found.push_back(findingOf(rule.line, std::move(*seen)));
        }
    }
    return found;
}

std::vector<Finding> findingsAcross(const Snapshot& snapshot, const CheckThresholds& thresholds)
{
    CrossStateFindings across(snapshot.server, thresholds);
    for (const StatePtr& state : snapshot.states)
        across.take(*state);
    return across.end(snapshot.server, snapshot.scan);
}

CrossStateFindings::CrossStateFindings(ServerFacts server, CheckThresholds thresholds)
    : m_server(std::move(server))
    , m_thresholds(std::move(thresholds))
{
    for (const auto& rules : acrossRules()) {
        for (const SnapshotRule& rule : rules)
            m_judges.push_back(rule.begin(m_server, m_thresholds));
    }
}

CrossStateFindings::~CrossStateFindings() = default;

void CrossStateFindings::take(const State& state)
{
    for (const std::unique_ptr<CrossStateJudge>& judge : m_judges)
        judge->take(state);
}

std::vector<Finding> CrossStateFindings::end(const ServerFacts& server, const ScanCounts& scan)
{
    m_server = server;
    std::vector<Finding> found;
    auto judge = m_judges.begin();
    for (const auto& rules : acrossRules()) {
        for (const SnapshotRule& rule : rules) {
            for (RuleMatch& seen : (*judge++)->matches(scan))
                found.push_back(findingOf(rule.line, std::move(seen)));
        }
    }
    return found;
}

std::vector<Finding> findingsOfServer(const ServerFacts& server)
{
    std::vector<Finding> found;
    for (const ServerRule& rule : serverRules()) {
        RuleMatch seen = rule.judge(server);
        if (seen.message.isEmpty())
            continue;
        seen.name = server.endpoint.toUtf8();
        found.push_back(findingOf(rule.line, std::move(seen)));
        found.back().ofServer = true;
    }
    for (const NodeFacts& node : server.nodes) {
        for (const NodeRule& rule : nodeRules()) {
            RuleMatch seen = node.takesWrites() ? rule.judge(node, server) : RuleMatch();
            if (seen.message.isEmpty())
                continue;
            seen.name = (node.slotCount ? node.endpoint : server.endpoint).toUtf8();
            found.push_back(findingOf(rule.line, std::move(seen)));
            found.back().ofServer = true;
        }
    }
    return found;
}

// Those of the group first, then those of its locks by name; a lock has one at most.
std::vector<Finding> redlockFindings(const RedlockReport& report)
{
    std::vector<Finding> found;
    for (const RedlockRule& rule : redlockRules()) {
        for (RuleMatch& seen : rule.judge(report))
            found.push_back(findingOf(rule.line, std::move(seen)));
    }
    std::stable_sort(found.begin(), found.end(), [](const Finding& a, const Finding& b) {
        return a.group != b.group ? a.group : !a.group && a.name < b.name;
    });
    return found;
}

QByteArray kindIdOf(const Finding& finding)
{
    return finding.ofServer ? QByteArrayLiteral("server") : kindId(finding.kind);
}

void explainFinding(Finding& finding)
{
    // Two kinds may have a code of the same name: its own rules come first.
    const RuleLine* line = lineOf(rulesOf(finding.kind), finding.code);
    for (const Kind kind : allKinds)
        line = line ? line : lineOf(rulesOf(kind), finding.code);
    line = line ? line : lineOf(keyRules(), finding.code);
    for (const auto& rules : acrossRules())
        line = line ? line : lineOf(rules, finding.code);
    line = line ? line : lineOf(serverRules(), finding.code);
    line = line ? line : lineOf(nodeRules(), finding.code);
    line = line ? line : lineOf(redlockRules(), finding.code);
    if (!line)
        return;
    finding.why = QCoreApplication::translate(line->context, line->why);
    finding.advice = QCoreApplication::translate(line->context, line->advice);
    finding.about = line->about;
}

std::optional<Severity> worst(const std::vector<Finding>& findings)
{
    const auto it =
        std::max_element(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
            return a.severity < b.severity;
        });
    return it == findings.end() ? std::nullopt : std::optional(it->severity);
}

QByteArray severityId(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return QByteArrayLiteral("error");
    case Severity::Warning:
        return QByteArrayLiteral("warning");
    case Severity::Info:
        break;
    }
    return QByteArrayLiteral("info");
}

QString severityWord(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return FindingText::tr("error");
    case Severity::Warning:
        return FindingText::tr("warning");
    case Severity::Info:
        break;
    }
    return FindingText::tr("info");
}

const std::vector<KnownFinding>& knownFindings()
{
    static const std::vector<KnownFinding> all = [] {
        std::vector<KnownFinding> known;
        const auto add = [&known](const RuleLine& line) {
            const bool there = std::any_of(known.begin(), known.end(), [&](const KnownFinding& k) {
                return k.code == line.code;
            });
            if (!there)
                known.push_back({line.code, line.severity, line.needsHistory});
        };
        for (const ServerRule& rule : serverRules())
            add(rule.line);
        for (const NodeRule& rule : nodeRules())
            add(rule.line);
        for (const Kind kind : allKinds) {
            for (const StateRule& rule : rulesOf(kind))
                add(rule.line);
        }
        for (const StateRule& rule : keyRules())
            add(rule.line);
        for (const auto& rules : acrossRules()) {
            for (const SnapshotRule& rule : rules)
                add(rule.line);
        }
        for (const RedlockRule& rule : redlockRules())
            known.push_back({rule.line.code, rule.line.severity, false, true});
        return known;
    }();
    return all;
}

} // namespace lk
