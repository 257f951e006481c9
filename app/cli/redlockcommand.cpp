// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/redlockcommand.h"

#include "app/process/exitcodes.h"
#include "app/process/output.h"
#include "backend/config/config.h"
#include "backend/config/redlockconfig.h"
#include "backend/core/names/foreigntext.h"
#include "backend/core/names/keyname.h"
#include "backend/redis/redlock/redlockreader.h"
#include "backend/text/duration.h"
#include "backend/text/errortext.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::RedlockCommand)
};

using Standing = RedlockState::Standing;
using Readers = std::vector<std::unique_ptr<RedlockReader>>;

constexpr int longestOwner = 80; // characters that are shown

QString voteText(const RedlockVote& vote)
{
    if (vote.error)
        return errorText(*vote.error);
    if (!vote.present)
        return Text::tr("free");
    const QString owner = displayPreview(vote.owner, longestOwner);
    return vote.ttlMs < 0 ? Text::tr("%1, no TTL").arg(owner)
                          : Text::tr("%1, for %2").arg(owner, formatDuration(vote.ttlMs));
}

// The servers one by one where they differ.
QString stateText(const RedlockState& state)
{
    QString text =
        displayName(state.name) + QStringLiteral("  ") + redlockText(state) + QLatin1Char('\n');
    if (const QString advice = redlockAdvice(state); !advice.isEmpty())
        text += QStringLiteral("    ") + advice + QLatin1Char('\n');
    if (state.holds == int(state.votes.size()) || state.standing == Standing::Free)
        return text;
    for (const RedlockVote& vote : state.votes)
        text += QStringLiteral("    %1  %2\n").arg(vote.endpoint, voteText(vote));
    return text;
}

QString groupText(const RedlockReader& reader)
{
    const RedlockGroup& group = reader.group();
    QString text = Text::tr("%1  %2 servers, a quorum is %3\n")
                       .arg(displayName(group.match))
                       .arg(group.servers.size())
                       .arg(group.quorum());
    for (const auto& [endpoint, error] : reader.silent())
        text += Text::tr("  %1 does not answer: %2\n").arg(endpoint, errorText(error));
    for (const RedlockState& state : reader.states())
        text += QStringLiteral("  ") + stateText(state);
    if (reader.states().empty())
        text += Text::tr("  No locks\n");
    if (reader.isCut())
        text +=
            Text::tr("  There are more; only the first %1 were read\n").arg(reader.states().size());
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
            {QStringLiteral("unreachable"), state.silent},
            {QStringLiteral("quorum"), qint64(state.quorum)},
            {QStringLiteral("validity_ms"),
             state.validityMs ? QJsonValue(*state.validityMs) : QJsonValue()},
            {QStringLiteral("servers"), votes}};
}

QByteArray json(const Readers& readers)
{
    QJsonArray groups;
    for (const auto& reader : readers) {
        QJsonArray locks;
        for (const RedlockState& state : reader->states())
            locks.append(stateJson(state));
        groups.append(
            QJsonObject{{QStringLiteral("match"), exactName(reader->group().match)},
                        {QStringLiteral("quorum"), qint64(reader->group().quorum())},
                        {QStringLiteral("complete"), reader->silent().empty() && !reader->isCut()},
                        {QStringLiteral("locks"), locks}});
    }
    return QJsonDocument(QJsonObject{{QStringLiteral("groups"), groups}}).toJson();
}

// What of all groups is the worst to know.
int exitCode(const Readers& readers)
{
    int code = ExitDone;
    for (const auto& reader : readers) {
        const size_t answering = reader->group().servers.size() - reader->silent().size();
        if (answering < reader->group().quorum())
            return reportError({ErrorCode::NotPossible,
                                Text::tr("Too few servers of the group %1 answer: %2, a quorum is "
                                         "%3")
                                    .arg(displayName(reader->group().match))
                                    .arg(answering)
                                    .arg(reader->group().quorum())});
        for (const RedlockState& state : reader->states())
            code = state.isTrouble() ? int(ExitFound) : code;
    }
    return code;
}

} // namespace

int runRedlock(const Invocation& invocation, const QString& passwordVariable)
{
    const auto groups = loadRedlocks(invocation.configFile);
    if (!groups)
        return reportError(groups.error());
    if (groups->empty())
        return reportError(
            {ErrorCode::NotFound,
             Text::tr("No [[redlock]] is declared in %1; it takes servers and match")
                 .arg(foreignText(invocation.configFile.isEmpty() ? defaultConfigPath()
                                                                  : invocation.configFile))});
    Readers readers;
    size_t left = groups->size();
    for (RedlockGroup group : *groups) {
        for (ServerUrl& url : group.servers) {
            if (url.password.isEmpty())
                url.password = passwordVariable;
        }
        readers.push_back(std::make_unique<RedlockReader>(std::move(group), invocation.timeoutMs));
        QObject::connect(readers.back().get(), &RedlockReader::finished, qApp, [&left] {
            if (--left == 0)
                QCoreApplication::quit();
        });
        QMetaObject::invokeMethod(readers.back().get(), &RedlockReader::start,
                                  Qt::QueuedConnection);
    }
    QCoreApplication::exec();
    Output out;
    if (invocation.format == Invocation::Format::Json) {
        out.write(json(readers));
    } else {
        for (const auto& reader : readers)
            out.print(groupText(*reader));
    }
    out.flush();
    return out.end(exitCode(readers));
}

} // namespace lk
