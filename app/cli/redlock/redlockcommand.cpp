// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/redlock/redlockcommand.h"

#include "app/process/exitcodes.h"
#include "app/process/output.h"
#include "backend/config/config.h"
#include "backend/core/names/foreigntext.h"
#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/findings/findings.h"
#include "backend/session/redlock/redlockreader.h"
#include "backend/text/errortext.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace lk {

namespace {

struct RedlockCommandText
{
    Q_DECLARE_TR_FUNCTIONS(lk::RedlockCommand)
};

using Standing = RedlockState::Standing;

// The servers one by one where they differ.
QString stateText(const RedlockState& state)
{
    QString text =
        displayName(state.name) + QStringLiteral("  ") + redlockText(state) + QLatin1Char('\n');
    if (const QString advice = redlockAdvice(state.standing); !advice.isEmpty())
        text += QStringLiteral("    ") + advice + QLatin1Char('\n');
    if (state.holds == int(state.votes.size()) || state.standing == Standing::Free)
        return text;
    for (const RedlockVote& vote : state.votes)
        text += QStringLiteral("    %1  %2\n").arg(vote.endpoint, voteText(vote));
    return text;
}

QString findingText(const Finding& finding)
{
    QString text =
        QStringLiteral("  %1: %2\n").arg(severityWord(finding.severity), finding.message);
    for (const QString& more : {finding.why, finding.advice}) {
        if (!more.isEmpty())
            text += QStringLiteral("    ") + more + QLatin1Char('\n');
    }
    return text;
}

QString groupText(const RedlockReport& report)
{
    const RedlockGroup& group = report.group;
    QString text = RedlockCommandText::tr("%1  %2 servers, a quorum needs %3\n")
                       .arg(displayName(group.match))
                       .arg(group.servers.size())
                       .arg(group.quorum());
    for (const RedlockServer& server : report.servers) {
        if (server.error)
            text += RedlockCommandText::tr("  %1 does not answer: %2\n")
                        .arg(server.endpoint, errorText(*server.error));
    }
    for (const Finding& finding : report.findings) {
        if (finding.group)
            text += findingText(finding);
    }
    for (const RedlockState& state : report.locks)
        text += QStringLiteral("  ") + stateText(state);
    if (report.locks.empty())
        text += RedlockCommandText::tr("  No locks\n");
    if (report.cut)
        text += RedlockCommandText::tr("  There are more; only the first %1 were read\n")
                    .arg(report.locks.size());
    return text;
}

// Null for an empty text.
QJsonValue known(const QString& text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QJsonValue known(std::optional<qint64> number)
{
    return number ? QJsonValue(*number) : QJsonValue();
}

template<typename Values, typename Function> QJsonArray arrayOf(const Values& values, Function json)
{
    QJsonArray array;
    for (const auto& value : values)
        array.append(json(value));
    return array;
}

QJsonObject voteJson(const RedlockVote& vote)
{
    return {{u"endpoint"_s, vote.endpoint},
            {u"reachable"_s, !vote.error},
            {u"owner"_s, vote.present ? QJsonValue(exactName(vote.owner)) : QJsonValue()},
            {u"ttl_ms"_s, vote.present && vote.ttlMs >= 0 ? QJsonValue(vote.ttlMs) : QJsonValue()}};
}

QJsonObject stateJson(const RedlockState& state)
{
    return {{u"name"_s, exactName(state.name)},
            {u"state"_s, standingId(state.standing)},
            {u"owner"_s, state.holds > 0 ? QJsonValue(exactName(state.owner)) : QJsonValue()},
            {u"holds"_s, state.holds},
            {u"other_owners"_s, state.others},
            {u"unreachable"_s, state.unreachable},
            {u"quorum"_s, qint64(state.quorum)},
            {u"validity_ms"_s, known(state.validityMs)},
            {u"servers"_s, arrayOf(state.votes, voteJson)}};
}

QJsonObject serverJson(const RedlockServer& server)
{
    return {{u"endpoint"_s, server.endpoint},
            {u"reachable"_s, !server.error},
            {u"error"_s, server.error ? QJsonValue(errorText(*server.error)) : QJsonValue()},
            {u"role"_s, known(nodeRoleName(server.role))},
            {u"master"_s, known(server.master)},
            {u"clock_offset_ms"_s,
             server.clock.known() ? QJsonValue(server.clock.offsetMs) : QJsonValue()}};
}

QJsonObject findingJson(const Finding& finding)
{
    return {{u"code"_s, QString::fromLatin1(finding.code)},
            {u"severity"_s, QString::fromLatin1(severityId(finding.severity))},
            {u"name"_s, exactKey(finding.kind, finding.name)},
            {u"message"_s, finding.message}};
}

QJsonObject groupJson(const RedlockReportPtr& report)
{
    return {{u"match"_s, exactName(report->group.match)},
            {u"quorum"_s, qint64(report->group.quorum())},
            {u"complete"_s, report->answering() == report->servers.size() && !report->cut},
            {u"servers"_s, arrayOf(report->servers, serverJson)},
            {u"findings"_s, arrayOf(report->findings, findingJson)},
            {u"locks"_s, arrayOf(report->locks, stateJson)}};
}

// Counts the locks whose holder is unknown. That is possible even if enough servers answer, as each
// of them may lack the lock.
qint64 notKnown(const RedlockReport& report)
{
    return std::count_if(report.locks.begin(), report.locks.end(), [](const RedlockState& state) {
        return state.standing == Standing::Unknown;
    });
}

// The worst result of all groups. Reports the first group that is not known.
int exitCode(const std::vector<RedlockReportPtr>& reports)
{
    int code = ExitDone;
    for (const RedlockReportPtr& each : reports) {
        const RedlockReport& report = *each;
        if (report.answering() < report.group.quorum())
            return reportError(
                {ErrorCode::NotPossible,
                 RedlockCommandText::tr("Too few servers of the group %1 answer: %2; a quorum "
                                        "needs %3")
                     .arg(displayName(report.group.match))
                     .arg(report.answering())
                     .arg(report.group.quorum())});
        if (const qint64 unknown = notKnown(report); unknown > 0)
            return reportError(
                {ErrorCode::NotPossible,
                 RedlockCommandText::tr("Too few servers of the group %1 answer to tell who holds "
                                        "%2 of its %3 locks")
                     .arg(displayName(report.group.match))
                     .arg(unknown)
                     .arg(report.locks.size())});
        if (!report.findings.empty())
            code = ExitFound;
    }
    return code;
}

} // namespace

int runRedlock(Invocation invocation, const ProgramStart& start)
{
    const Result<Config> config = loadConfigOrDefault(invocation.configFile);
    if (invocation.redlock.undoKey.isEmpty())
        invocation.redlock.undoKey = start.undoKey;
    if (!config)
        return reportError(config.error());
    const std::vector<RedlockGroup> groups = withPassword(config->redlocks, start.password);
    if (groups.empty())
        return reportError(
            {ErrorCode::NotFound,
             RedlockCommandText::tr("No [[redlock]] is declared in %1; it takes servers and match")
                 .arg(foreignText(invocation.configFile.isEmpty() ? defaultConfigPath()
                                                                  : invocation.configFile))});
    if (invocation.redlock.what != RedlockWanted::What::Read)
        return runRedlockAction(invocation, groups);
    const SystemClock clock;
    RedlockCheck check(groups, invocation.timeoutMs, clock);
    QObject::connect(&check, &RedlockCheck::finished, qApp, &QCoreApplication::quit);
    QMetaObject::invokeMethod(
        &check, [&check] { check.start(false); }, Qt::QueuedConnection);
    QCoreApplication::exec();
    Output out;
    if (invocation.format == Invocation::Format::Json) {
        const QJsonObject json{{u"groups"_s, arrayOf(check.reports(), groupJson)}};
        out.write(QJsonDocument(json).toJson());
    } else {
        for (const RedlockReportPtr& report : check.reports())
            out.print(groupText(*report));
    }
    out.flush();
    return out.end(exitCode(check.reports()));
}

} // namespace lk
