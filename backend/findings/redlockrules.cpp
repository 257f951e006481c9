// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/findingtraits.h"
#include "backend/findings/rules.h"
#include "backend/redis/redlock/redlock.h"

#include <algorithm>
#include <array>
#include <map>

namespace lk {

namespace {

struct RedlockRulesText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Redlock)
};

using Severity = Finding::Severity;
using Standing = RedlockState::Standing;

// key: the server concerned, since two of them may be replicas.
RuleMatch matchOf(const RedlockReport& report, const QString& message, const QString& key = {})
{
    return {message, key.toUtf8(), report.group.match, {}, {}, Kind::Lock, true};
}

std::vector<RuleMatch> sameServers(const RedlockReport& report)
{
    std::map<QString, QStringList> endpoints; // by process
    for (const RedlockServer& server : report.servers) {
        if (!server.error && !server.runId.isEmpty())
            endpoints[server.runId] << server.endpoint;
    }
    std::vector<RuleMatch> found;
    for (const RedlockServer& server : report.servers) {
        const QStringList same = endpoints[server.runId];
        if (same.size() > 1 && same.front() == server.endpoint)
            found.push_back(
                matchOf(report,
                        RedlockRulesText::tr("The same server is listed more than once: %1")
                            .arg(same.join(QStringLiteral(", "))),
                        server.endpoint));
    }
    return found;
}

std::vector<RuleMatch> replicas(const RedlockReport& report)
{
    std::vector<RuleMatch> found;
    for (const RedlockServer& server : report.servers) {
        if (!server.error && server.role == NodeRole::Replica)
            found.push_back(
                matchOf(report,
                        server.master.isEmpty()
                            ? RedlockRulesText::tr("%1 is a replica").arg(server.endpoint)
                            : RedlockRulesText::tr("%1 is a replica of %2")
                                  .arg(server.endpoint, server.master),
                        server.endpoint));
    }
    return found;
}

std::vector<RuleMatch> tooFewServers(const RedlockReport& report)
{
    const size_t answering = report.answering();
    if (answering >= report.group.quorum())
        return {};
    return {matchOf(report, RedlockRulesText::tr("Only %1 of %2 servers answer; a quorum needs %3")
                                .arg(answering)
                                .arg(report.servers.size())
                                .arg(report.group.quorum()))};
}

template<Standing standing> std::vector<RuleMatch> locksOf(const RedlockReport& report)
{
    std::vector<RuleMatch> found;
    for (const RedlockState& state : report.locks) {
        if (state.standing != standing || (standing == Standing::Held && state.validityMs))
            continue;
        found.push_back({redlockText(state), state.name, state.name, {}, {}, Kind::Lock});
    }
    return found;
}

constexpr RuleLine lineOf(const char* code, Severity severity, const char* why, const char* advice)
{
    return {code, severity, "", why, advice, false, Finding::About::Data, "lk::Redlock"};
}

constexpr std::array rules{
    RedlockRule{
        lineOf("redlock-same-server", Severity::Error,
               QT_TRANSLATE_NOOP("lk::Redlock",
                                 "It votes more than once: a quorum is counted where there "
                                 "is none, and one crash loses several votes."),
               QT_TRANSLATE_NOOP("lk::Redlock",
                                 "Declare each server once, and have the clients do so, too.")),
        sameServers},
    RedlockRule{
        lineOf("redlock-replica", Severity::Error,
               QT_TRANSLATE_NOOP("lk::Redlock",
                                 "A replica repeats its master's vote and accepts no "
                                 "writes: it has no vote of its own."),
               QT_TRANSLATE_NOOP("lk::Redlock",
                                 "Redlock needs masters that do not replicate from one another.")),
        replicas},
    RedlockRule{lineOf("redlock-too-few-servers", Severity::Error,
                       QT_TRANSLATE_NOOP("lk::Redlock", "Nobody can acquire a lock of this group."),
                       redlockadvice::silentServers),
                tooFewServers},
    RedlockRule{lineOf("redlock-split", Severity::Warning,
                       QT_TRANSLATE_NOOP("lk::Redlock",
                                         "Several clients tried to acquire it at the same time, "
                                         "and none of them holds it."),
                       redlockadvice::split),
                locksOf<Standing::Split>},
    RedlockRule{lineOf("redlock-no-quorum", Severity::Warning,
                       QT_TRANSLATE_NOOP("lk::Redlock",
                                         "Leftover keys: nobody holds the lock, and fewer servers "
                                         "are free for the next attempt."),
                       redlockadvice::noQuorum),
                locksOf<Standing::NoQuorum>},
    RedlockRule{lineOf("redlock-no-ttl", Severity::Warning,
                       QT_TRANSLATE_NOOP("lk::Redlock",
                                         "It has no TTL on a quorum of servers: if its owner "
                                         "dies, it is held forever."),
                       QT_TRANSLATE_NOOP("lk::Redlock",
                                         "Release it on all servers once its owner is gone, and "
                                         "acquire locks with a TTL.")),
                locksOf<Standing::Held>}};

// Returns whether the lock has the same owners as before. Others mean that a client has tried again
// since.
bool hasSameOwners(const RedlockState& a, const RedlockState& b)
{
    return std::equal(a.votes.begin(), a.votes.end(), b.votes.begin(), b.votes.end(),
                      [](const RedlockVote& x, const RedlockVote& y) {
                          return x.present == y.present && x.owner == y.owner;
                      });
}

} // namespace

std::span<const RedlockRule> redlockRules()
{
    return rules;
}

std::vector<Finding> lastingRedlockFindings(const RedlockReport& report,
                                            const RedlockReport& before)
{
    std::vector<Finding> lasting = report.findings;
    std::erase_if(lasting, [&](const Finding& finding) {
        const RedlockState* now = finding.group ? nullptr : report.lock(finding.name);
        const RedlockState* then = now ? before.lock(finding.name) : nullptr;
        return (now && !(then && hasSameOwners(*now, *then))) ||
               std::none_of(before.findings.begin(), before.findings.end(), [&](const Finding& f) {
                   return f.code == finding.code && f.key == finding.key;
               });
    });
    return lasting;
}

} // namespace lk
