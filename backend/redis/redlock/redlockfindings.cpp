// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/redlock/redlockfindings.h"

#include "backend/core/names/keyname.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace lk {

namespace {

struct RedlockFindingsText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Redlock)
};

using Severity = Finding::Severity;
using Standing = RedlockState::Standing;

/// The properties that all findings of a code share. The texts are untranslated.
struct Code
{
    RedlockCode line;
    const char* why;
    const char* advice; ///< null: depends on the lock's standing
    Standing standing = Standing::Unknown;
};

constexpr Code sameServer{
    {"redlock-same-server", Severity::Error},
    QT_TRANSLATE_NOOP("lk::Redlock", "It votes more than once: a quorum is counted where there is "
                                     "none, and one crash loses several votes."),
    QT_TRANSLATE_NOOP("lk::Redlock", "Declare each server once, and have the clients do so, too.")};
constexpr Code replica{
    {"redlock-replica", Severity::Error},
    QT_TRANSLATE_NOOP(
        "lk::Redlock",
        "A replica repeats its master's vote and accepts no writes: it has no vote of its own."),
    QT_TRANSLATE_NOOP("lk::Redlock",
                      "Redlock needs masters that do not replicate from one another.")};
constexpr Code tooFewServers{
    {"redlock-too-few-servers", Severity::Error},
    QT_TRANSLATE_NOOP("lk::Redlock", "Nobody can acquire a lock of this group."),
    QT_TRANSLATE_NOOP("lk::Redlock", "Bring back the servers that do not answer.")};
constexpr Code split{
    {"redlock-split", Severity::Warning},
    QT_TRANSLATE_NOOP(
        "lk::Redlock",
        "Several clients tried to acquire it at the same time, and none of them holds it."),
    nullptr,
    Standing::Split};
constexpr Code noQuorum{
    {"redlock-no-quorum", Severity::Warning},
    QT_TRANSLATE_NOOP(
        "lk::Redlock",
        "Leftover keys: nobody holds the lock, and fewer servers are free for the next attempt."),
    nullptr,
    Standing::NoQuorum};
constexpr Code noTtl{
    {"redlock-no-ttl", Severity::Warning},
    QT_TRANSLATE_NOOP("lk::Redlock", "It has no TTL on a quorum of servers: if its owner "
                                     "dies, it is held forever."),
    QT_TRANSLATE_NOOP("lk::Redlock", "Release it on all servers once its owner is gone, and "
                                     "acquire locks with a TTL.")};

constexpr std::array codes{&sameServer, &replica, &tooFewServers, &split, &noQuorum, &noTtl};

constexpr auto lines = [] {
    std::array<RedlockCode, codes.size()> all{};
    for (size_t i = 0; i < codes.size(); ++i)
        all[i] = codes[i]->line;
    return all;
}();

// Returns null for a code of another rule.
const Code* findCode(const QByteArray& code)
{
    const auto it = std::find_if(codes.begin(), codes.end(),
                                 [&](const Code* known) { return code == known->line.code; });
    return it == codes.end() ? nullptr : *it;
}

void explain(Finding& finding, const Code& code)
{
    finding.why = QCoreApplication::translate("lk::Redlock", code.why);
    finding.advice = code.advice ? QCoreApplication::translate("lk::Redlock", code.advice)
                                 : redlockAdvice(code.standing);
}

Finding ofCode(const Code& code)
{
    Finding finding;
    finding.code = code.line.code;
    finding.severity = code.line.severity;
    finding.kind = Kind::Lock;
    explain(finding, code);
    return finding;
}

// key: the server concerned, since two of them may be replicas.
Finding ofGroup(const RedlockReport& report, const Code& code, const QString& key = {})
{
    Finding finding = ofCode(code);
    finding.name = report.group.match;
    finding.key = key.toUtf8();
    finding.group = true;
    return finding;
}

void addSameServers(const RedlockReport& report, std::vector<Finding>& found)
{
    std::vector<QString> told;
    for (const RedlockServer& server : report.servers) {
        if (server.runId.isEmpty() || server.error ||
            std::find(told.begin(), told.end(), server.runId) != told.end())
            continue;
        QStringList endpoints;
        for (const RedlockServer& other : report.servers) {
            if (!other.error && other.runId == server.runId)
                endpoints << other.endpoint;
        }
        if (endpoints.size() < 2)
            continue;
        told.push_back(server.runId);
        Finding finding = ofGroup(report, sameServer, server.endpoint);
        finding.message = RedlockFindingsText::tr("The same server is listed more than once: %1")
                              .arg(endpoints.join(QStringLiteral(", ")));
        found.push_back(std::move(finding));
    }
}

void addReplicas(const RedlockReport& report, std::vector<Finding>& found)
{
    for (const RedlockServer& server : report.servers) {
        if (server.error || server.role != NodeRole::Replica)
            continue;
        Finding finding = ofGroup(report, replica, server.endpoint);
        finding.message = server.master.isEmpty()
                              ? RedlockFindingsText::tr("%1 is a replica").arg(server.endpoint)
                              : RedlockFindingsText::tr("%1 is a replica of %2")
                                    .arg(server.endpoint, server.master);
        found.push_back(std::move(finding));
    }
}

void addTooFew(const RedlockReport& report, std::vector<Finding>& found)
{
    const size_t answering = report.answering();
    if (answering >= report.group.quorum())
        return;
    Finding finding = ofGroup(report, tooFewServers);
    finding.message = RedlockFindingsText::tr("Only %1 of %2 servers answer; a quorum needs %3")
                          .arg(answering)
                          .arg(report.servers.size())
                          .arg(report.group.quorum());
    found.push_back(std::move(finding));
}

// Returns null if nothing is wrong.
const Code* codeOf(const RedlockState& state)
{
    switch (state.standing) {
    case Standing::Split:
        return &split;
    case Standing::NoQuorum:
        return &noQuorum;
    case Standing::Held:
        return state.validityMs ? nullptr : &noTtl;
    case Standing::Free:
    case Standing::Unknown:
        break;
    }
    return nullptr;
}

void addLock(const RedlockState& state, std::vector<Finding>& found)
{
    const Code* code = codeOf(state);
    if (!code)
        return;
    Finding finding = ofCode(*code);
    finding.name = state.name;
    finding.key = state.name;
    finding.message = redlockText(state);
    found.push_back(std::move(finding));
}

const RedlockState* lockOf(const RedlockReport& report, const QByteArray& name)
{
    const auto it = std::lower_bound(
        report.locks.begin(), report.locks.end(), name,
        [](const RedlockState& state, const QByteArray& wanted) { return state.name < wanted; });
    return it != report.locks.end() && it->name == name ? &*it : nullptr;
}

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

std::span<const RedlockCode> redlockCodes()
{
    return lines;
}

bool isRedlockCode(const QByteArray& code)
{
    return findCode(code) != nullptr;
}

void explainRedlock(Finding& finding)
{
    if (const Code* code = findCode(finding.code))
        explain(finding, *code);
}

std::vector<Finding> redlockFindings(const RedlockReport& report)
{
    std::vector<Finding> found;
    addSameServers(report, found);
    addReplicas(report, found);
    addTooFew(report, found);
    for (const RedlockState& state : report.locks)
        addLock(state, found);
    return found;
}

std::vector<Finding> lastingRedlockFindings(const RedlockReport& report,
                                            const RedlockReport& before)
{
    std::vector<Finding> lasting;
    for (const Finding& finding : report.findings) {
        const bool there =
            std::any_of(before.findings.begin(), before.findings.end(), [&](const Finding& f) {
                return f.code == finding.code && f.key == finding.key;
            });
        if (!there)
            continue;
        const RedlockState* now = finding.group ? nullptr : lockOf(report, finding.name);
        const RedlockState* then = now ? lockOf(before, finding.name) : nullptr;
        if (!now || (then && hasSameOwners(*now, *then)))
            lasting.push_back(finding);
    }
    return lasting;
}

} // namespace lk
