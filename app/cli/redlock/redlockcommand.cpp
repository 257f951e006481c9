// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/redlock/redlockcommand.h"

#include "app/cli/redlock/declaredgroups.h"
#include "app/cli/redlock/redlockaction.h"
#include "app/process/exitcodes.h"
#include "app/process/output.h"
#include "backend/config/config.h"
#include "backend/core/names/foreigntext.h"
#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/findings/findings.h"
#include "backend/redis/redlock/redlockreader.h"
#include "backend/text/errortext.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lk {

namespace {

struct RedlockCommandText
{
    Q_DECLARE_TR_FUNCTIONS(lk::RedlockCommand)
};

using Standing = RedlockState::Standing;
using Readers = std::vector<std::unique_ptr<RedlockReader>>;

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

QJsonObject stateJson(const RedlockState& state)
{
    QJsonArray votes;
    for (const RedlockVote& vote : state.votes)
        votes.append(QJsonObject{
            {QStringLiteral("endpoint"), vote.endpoint},
            {QStringLiteral("reachable"), !vote.error},
            {QStringLiteral("owner"),
             vote.present ? QJsonValue(exactName(vote.owner)) : QJsonValue()},
            {QStringLiteral("ttl_ms"),
             vote.present && vote.ttlMs >= 0 ? QJsonValue(vote.ttlMs) : QJsonValue()},
        });
    return {{QStringLiteral("name"), exactName(state.name)},
            {QStringLiteral("state"), standingId(state.standing)},
            {QStringLiteral("owner"),
             state.holds > 0 ? QJsonValue(exactName(state.owner)) : QJsonValue()},
            {QStringLiteral("holds"), state.holds},
            {QStringLiteral("other_owners"), state.others},
            {QStringLiteral("unreachable"), state.unreachable},
            {QStringLiteral("quorum"), qint64(state.quorum)},
            {QStringLiteral("validity_ms"),
             state.validityMs ? QJsonValue(*state.validityMs) : QJsonValue()},
            {QStringLiteral("servers"), votes}};
}

QJsonObject serverJson(const RedlockServer& server)
{
    const auto known = [](const QString& text) {
        return text.isEmpty() ? QJsonValue() : QJsonValue(text);
    };
    return {{QStringLiteral("endpoint"), server.endpoint},
            {QStringLiteral("reachable"), !server.error},
            {QStringLiteral("error"),
             server.error ? QJsonValue(errorText(*server.error)) : QJsonValue()},
            {QStringLiteral("role"), known(nodeRoleName(server.role))},
            {QStringLiteral("master"), known(server.master)},
            {QStringLiteral("clock_offset_ms"),
             server.clock.known() ? QJsonValue(server.clock.offsetMs) : QJsonValue()}};
}

QJsonObject findingJson(const Finding& finding)
{
    return {{QStringLiteral("code"), QString::fromLatin1(finding.code)},
            {QStringLiteral("severity"), QString::fromLatin1(severityId(finding.severity))},
            {QStringLiteral("name"), exactKey(finding.kind, finding.name)},
            {QStringLiteral("message"), finding.message}};
}

QByteArray json(const Readers& readers)
{
    QJsonArray groups;
    for (const auto& reader : readers) {
        const RedlockReport& report = *reader->report();
        QJsonArray locks;
        for (const RedlockState& state : report.locks)
            locks.append(stateJson(state));
        QJsonArray servers;
        for (const RedlockServer& server : report.servers)
            servers.append(serverJson(server));
        QJsonArray findings;
        for (const Finding& finding : report.findings)
            findings.append(findingJson(finding));
        groups.append(QJsonObject{{QStringLiteral("match"), exactName(report.group.match)},
                                  {QStringLiteral("quorum"), qint64(report.group.quorum())},
                                  {QStringLiteral("complete"),
                                   report.answering() == report.servers.size() && !report.cut},
                                  {QStringLiteral("servers"), servers},
                                  {QStringLiteral("findings"), findings},
                                  {QStringLiteral("locks"), locks}});
    }
    return QJsonDocument(QJsonObject{{QStringLiteral("groups"), groups}}).toJson();
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
int exitCode(const Readers& readers)
{
    int code = ExitDone;
    for (const auto& reader : readers) {
        const RedlockReport& report = *reader->report();
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
    RedlockReader::Options options;
    options.timeoutMs = invocation.timeoutMs;
    Readers readers;
    size_t left = groups.size();
    for (const RedlockGroup& group : groups) {
        readers.push_back(std::make_unique<RedlockReader>(group, options, clock));
        QObject::connect(readers.back().get(), &RedlockReader::finished, qApp, [&left] {
            if (--left == 0)
                QCoreApplication::quit();
        });
        QMetaObject::invokeMethod(readers.back().get(), &RedlockReader::read, Qt::QueuedConnection);
    }
    QCoreApplication::exec();
    Output out;
    if (invocation.format == Invocation::Format::Json) {
        out.write(json(readers));
    } else {
        for (const auto& reader : readers)
            out.print(groupText(*reader->report()));
    }
    out.flush();
    return out.end(exitCode(readers));
}

} // namespace lk
