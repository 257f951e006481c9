// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/history/historycommand.h"

#include "app/process/exitcodes.h"
#include "app/process/hiddenarguments.h"
#include "app/process/output.h"
#include "backend/config/ownlayouts.h"
#include "backend/core/derived/agedstate.h"
#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/findings/findings.h"
#include "backend/history/historypath.h"
#include "backend/report/history/historyreport.h"
#include "backend/report/snapshot/snapshotreport.h"
#include "backend/session/deploymentkey.h"
#include "backend/text/errortext.h"
#include "backend/text/time/duration.h"
#include "backend/text/time/moment.h"

#include <QCoreApplication>
#include <QDateTime>

namespace lk {

namespace {

struct HistoryCommandText
{
    Q_DECLARE_TR_FUNCTIONS(lk::HistoryCommand)
};

QString storePath(const Invocation& invocation)
{
    return invocation.storeFile.isEmpty() ? historyPath() : invocation.storeFile;
}

int notFound(const QString& what)
{
    reportError({ErrorCode::NotFound, what});
    return ExitFound;
}

// An address, or what people call it.
QByteArray deploymentOf(RecordQueries& queries, const QString& named)
{
    for (const RecordedSpan& span : queries.deployments()) {
        if (span.deployment.title == named)
            return span.deployment.key;
    }
    const Result<ServerUrl> url = parseServerUrl(named);
    return url ? queries.find(deploymentNames(*url)) : QByteArray();
}

// Warns that the answers leave out the damaged part of the file.
void tellDamage(const RecordQueries& queries)
{
    if (const std::optional<Error> damage = queries.damage())
        tellLine(HistoryCommandText::tr("%1: some of what was recorded is missing")
                     .arg(errorText(*damage)));
}

// By the server's clock, as it was when it was recorded last.
qint64 serverNowMs(RecordQueries& queries, const QByteArray& deployment)
{
    return QDateTime::currentMSecsSinceEpoch() + queries.offsetMs(deployment);
}

struct Stretch
{
    qint64 fromMs = 0;
    qint64 toMs = 0;
};

// The span defaults to one day until now, or until the recording ends. A request for a later moment
// reports that it was not recorded.
Result<Stretch> stretchOf(const Invocation& invocation, RecordQueries& queries,
                          const QByteArray& deployment)
{
    constexpr qint64 day = 24LL * 3600 * 1000;
    const qint64 nowMs = serverNowMs(queries, deployment);
    const RecordedSpan span = queries.span(deployment);
    Stretch stretch;
    if (!invocation.from.isEmpty()) {
        const Result<qint64> from = parseMoment(invocation.from, nowMs);
        if (!from)
            return tl::unexpected(from.error());
        stretch.fromMs = *from;
    }
    const bool ended = !span.recordedNow && span.lastMs > stretch.fromMs;
    stretch.toMs = ended ? span.lastMs : nowMs;
    if (!invocation.to.isEmpty()) {
        const Result<qint64> to = parseMoment(invocation.to, nowMs);
        if (!to)
            return tl::unexpected(to.error());
        stretch.toMs = *to;
    }
    if (invocation.from.isEmpty())
        stretch.fromMs = stretch.toMs - day;
    return stretch;
}

// A snapshot of that time reports the gap as not recorded.
Missing blindness(const RecordedGap& gap)
{
    Missing missing;
    missing.cause = Missing::Cause::NotRecorded;
    if (gap.fromMs > 0)
        missing.detail = QDateTime::fromMSecsSinceEpoch(gap.fromMs).toString(Qt::ISODate);
    return missing;
}

Snapshot snapshotOf(RecordedMoment moment)
{
    Snapshot snapshot;
    snapshot.server = std::move(moment.server);
    snapshot.server.timeMs = moment.atMs;
    snapshot.scan = std::move(moment.scan);
    if (moment.blind) {
        snapshot.scan.complete = false;
        snapshot.scan.missing.push_back(blindness(*moment.blind));
    }
    for (const RecordedState& recorded : moment.states) {
        StatePtr state = agedState(recorded.state, moment.atMs);
        if (state->present) // a scan would not have found what was gone
            snapshot.states.push_back(std::move(state));
    }
    for (RecordedFinding& open : moment.findings) {
        explainFinding(open.finding);
        snapshot.findings.push_back(std::move(open.finding));
    }
    return snapshot;
}

// A token is recorded without its code: who has the whole of it finds it by that.
std::vector<std::pair<RecordedId, PrimitivePtr>>
named(RecordQueries& queries, const QByteArray& deployment, const QByteArray& name)
{
    auto found = queries.named(deployment, name);
    if (!found.empty())
        return found;
    found = queries.named(deployment, redactedKey(Kind::Token, name));
    std::erase_if(found, [](const auto& one) { return one.second->kind != Kind::Token; });
    return found;
}

} // namespace

int runHistory(const Invocation& invocation)
{
    RecordQueries queries(storePath(invocation));
    if (const Result<void> opened = queries.open(); !opened)
        return reportError(opened.error());
    QByteArray deployment;
    if (!invocation.deployment.isEmpty()) {
        deployment = deploymentOf(queries, invocation.deployment);
        if (deployment.isEmpty())
            return notFound(HistoryCommandText::tr("%1 is not recorded")
                                .arg(shownArgument(invocation.deployment)));
    }
    const auto found = named(queries, deployment, bytesFromDisplay(invocation.historyOf));
    if (found.empty())
        return notFound(
            HistoryCommandText::tr("%1 not found in the recording").arg(invocation.historyOf));
    for (const auto& [id, primitive] : found) {
        if (id.deployment != found[0].first.deployment)
            return reportError(
                {ErrorCode::BadArgument,
                 HistoryCommandText::tr(
                     "%1 is recorded in several deployments; choose one with --deployment")
                     .arg(invocation.historyOf)});
    }
    const Result<Stretch> stretch = stretchOf(invocation, queries, found[0].first.deployment);
    if (!stretch)
        return reportError(stretch.error());
    Output out;
    for (const auto& [id, primitive] : found) {
        const HistoryReport report =
            historyReport(queries, id, primitive, stretch->fromMs, stretch->toMs);
        if (invocation.format == Invocation::Format::Json) {
            out.write(historyJson(report));
            break; // one object: of the one that was seen last
        }
        if (invocation.format == Invocation::Format::Csv) {
            out.print(historyCsv(report));
            break;
        }
        out.print(historyText(report));
        if (&primitive != &found.back().second)
            out.print(QStringLiteral("\n"));
    }
    const bool oneOnly = invocation.format != Invocation::Format::Text;
    if (const int others = int(found.size()) - 1; oneOnly && others > 0)
        tellLine(
            HistoryCommandText::tr("%Ln more with that name; give a key name", nullptr, others));
    tellDamage(queries);
    return out.end(ExitDone);
}

int runRecordedSnapshot(const Invocation& invocation)
{
    if (const Result<void> added = addOwnLayouts(invocation.layoutsFolder); !added)
        return reportError(added.error());
    RecordQueries queries(storePath(invocation));
    if (const Result<void> opened = queries.open(); !opened)
        return reportError(opened.error());
    const QByteArray deployment = queries.find(deploymentNames(invocation.url));
    if (deployment.isEmpty()) {
        reportError({ErrorCode::NotFound,
                     HistoryCommandText::tr("%1 is not recorded").arg(invocation.url.endpoint())});
        return ExitUsage;
    }
    const Result<qint64> atMs = parseMoment(invocation.at, serverNowMs(queries, deployment));
    if (!atMs)
        return reportError(atMs.error());
    RecordedMoment moment = queries.momentAt(deployment, *atMs);
    const bool isEmpty = moment.blind && moment.states.empty() && moment.blind->fromMs == 0;
    if (isEmpty) {
        reportError({ErrorCode::NotFound, HistoryCommandText::tr("%1 was not recorded before %2")
                                              .arg(invocation.url.endpoint(), momentText(*atMs))});
        return ExitUsage;
    }
    const Snapshot snapshot = snapshotOf(std::move(moment));
    Output out;
    // Names were recorded with their codes left out: there is nothing to mask any more.
    if (invocation.format == Invocation::Format::Json) {
        writeJson(snapshot, out, Codes::Revealed);
    } else {
        out.print(HistoryCommandText::tr(
                      "From the recording, as of %1. Scan counts are those of the last scan "
                      "before that.")
                      .arg(momentText(*atMs)) +
                  QLatin1Char('\n'));
        writeText(snapshot, out, Codes::Revealed);
    }
    tellDamage(queries);
    return out.end(ExitDone);
}

} // namespace lk
