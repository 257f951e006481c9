// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/redlock/redlockfindings.h"

#include "backend/core/names/keyname.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Redlock)
};

using Severity = Finding::Severity;
using Standing = RedlockState::Standing;

Finding ofGroup(const RedlockReport& report, const char* code, Severity severity)
{
    Finding finding;
    finding.code = code;
    finding.severity = severity;
    finding.name = report.group.match;
    finding.kind = Kind::Lock;
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
        Finding finding = ofGroup(report, "redlock-same-server", Severity::Error);
        finding.message =
            Text::tr("One and the same server: %1").arg(endpoints.join(QStringLiteral(", ")));
        finding.why = Text::tr("It votes more than once: a quorum is counted where there is none, "
                               "and one crash takes several votes.");
        finding.advice = Text::tr("Declare each server once, and have the clients do so, too.");
        found.push_back(std::move(finding));
    }
}

void addReplicas(const RedlockReport& report, std::vector<Finding>& found)
{
    for (const RedlockServer& server : report.servers) {
        if (server.error || server.role != QLatin1String("replica"))
            continue;
        Finding finding = ofGroup(report, "redlock-replica", Severity::Error);
        finding.message =
            server.master.isEmpty()
                ? Text::tr("%1 is a replica").arg(server.endpoint)
                : Text::tr("%1 is a replica of %2").arg(server.endpoint, server.master);
        finding.why = Text::tr("A replica repeats its master's vote and takes no writes: it is no "
                               "vote of its own.");
        finding.advice = Text::tr("Redlock needs masters that do not replicate from one another.");
        found.push_back(std::move(finding));
    }
}

void addTooFew(const RedlockReport& report, std::vector<Finding>& found)
{
    const size_t answering = report.answering();
    if (answering >= report.group.quorum())
        return;
    Finding finding = ofGroup(report, "redlock-too-few-servers", Severity::Error);
    finding.message = Text::tr("Only %1 of %2 servers answer, a quorum is %3")
                          .arg(answering)
                          .arg(report.servers.size())
                          .arg(report.group.quorum());
    finding.why = Text::tr("Nobody can acquire a lock of this group.");
    finding.advice = Text::tr("Bring the servers back that do not answer.");
    found.push_back(std::move(finding));
}

void addLock(const RedlockState& state, std::vector<Finding>& found)
{
    Finding finding;
    finding.kind = Kind::Lock;
    finding.name = state.name;
    finding.key = state.name;
    finding.message = redlockText(state);
    finding.advice = redlockAdvice(state);
    if (state.standing == Standing::Split) {
        finding.code = "redlock-split";
        finding.severity = Severity::Warning;
        finding.why = Text::tr("Several clients acquired it at the same time and none of them has "
                               "it.");
    } else if (state.standing == Standing::NoQuorum) {
        finding.code = "redlock-no-quorum";
        finding.severity = Severity::Warning;
        finding.why = Text::tr("Leftover keys: nobody has the lock, and fewer servers are left for "
                               "whoever tries next.");
    } else if (state.standing == Standing::Held && !state.validityMs) {
        finding.code = "redlock-no-ttl";
        finding.severity = Severity::Warning;
        finding.why = Text::tr("It has no TTL on a quorum of servers: if its owner dies, it is "
                               "held forever.");
        finding.advice = Text::tr("Release it on all servers once its owner is gone, and acquire "
                                  "locks with a TTL.");
    } else {
        return;
    }
    found.push_back(std::move(finding));
}

} // namespace

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

} // namespace lk
