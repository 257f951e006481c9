// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/board/boardtexts.h"

#include "backend/findings/findings.h"
#include "backend/libraries/api/layout.h"
#include "backend/session/session.h"
#include "backend/session/sessionboard.h"
#include "backend/text/errortext.h"
#include "backend/text/kindtitles.h"
#include "backend/text/scantext.h"
#include "backend/text/time/duration.h"
#include "widgets/theme/icon.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <climits>

namespace lk {

namespace {

struct BoardTextsText
{
    Q_DECLARE_TR_FUNCTIONS(lk::BoardTexts)
};

QString teaching(Kind kind)
{
    switch (kind) {
    case Kind::Limiter:
        return BoardTextsText::tr(
            "Sorted sets of request times, counters with a TTL, gates and the limiters "
            "of common libraries are detected and appear here. Declare what Redis does not store, "
            "such as a limit, in a configuration file:");
    case Kind::Lock:
        return BoardTextsText::tr(
            "Keys set with NX and a TTL, and timestamp locks, appear here while they "
            "are held. Declare keys whose names give no hint:");
    case Kind::Queue:
        return BoardTextsText::tr(
            "Lists with a processing list appear here. Declare which list is the "
            "processing list of which queue:");
    case Kind::Token:
        return BoardTextsText::tr(
            "One-time codes and token hashes appear here while they exist. Their "
            "payload is never shown. Declare your own prefixes:");
    case Kind::Pattern:
        break;
    }
    return BoardTextsText::tr(
        "Counters, rotations, navigation sessions, bitmaps per day, cached sorts and "
        "weighted sets appear here if their names say what they are. Declare others, "
        "and the record size of arrays:");
}

} // namespace

QString readAgoText(const State& state, const Session& session)
{
    constexpr qint64 toldAgeMs = 3000;
    const qint64 ageMs = session.serverNowMs() - state.asOfMs;
    return !session.isPast() && session.report().isBehind() && ageMs >= toldAgeMs
               ? BoardTextsText::tr("read %1 ago").arg(formatDuration(ageMs))
               : QString();
}

QString estimateText(const Session& session)
{
    const MonitorReport& report = session.report();
    return report.isBehind()
               ? BoardTextsText::tr("An estimate: %Ln changes are not read yet.", nullptr,
                                    int(std::min<qint64>(report.backlog, INT_MAX)))
               : QString();
}

std::optional<ScanSoFar> scanSoFar(const Session& session)
{
    const MonitorReport& report = session.report();
    const ScanCounts& scan = report.scan;
    // A later scan goes over keys that were all read before.
    const bool wasRead = scan.missing.empty() && (scan.complete || !report.firstScan);
    if (session.isPast() || session.status().phase != ConnectionStatus::Phase::Ready || wasRead)
        return std::nullopt;
    const bool running = report.firstScan && !scan.complete && scan.missing.empty();
    return ScanSoFar{scan.complete ? BoardTextsText::tr("not all keys could be read")
                                   : readSoFarText(scan.scanned, scan.expected),
                     running ? scannedPercent(scan.scanned, scan.expected) : std::nullopt, running};
}

QString nothingSoFarText(const ScanSoFar& soFar)
{
    return soFar.isRunning ? BoardTextsText::tr("Nothing found so far, %1.").arg(soFar.text)
                           : BoardTextsText::tr("Nothing found, but %1.").arg(soFar.text);
}

EmptyText emptyText(Kind kind, const Session* session, bool filtered)
{
    using Phase = ConnectionStatus::Phase;
    if (!session) {
        return {QStringLiteral("connect"),
                BoardTextsText::tr("No server"),
                BoardTextsText::tr("Connect to Redis with Ctrl+N, or open the demo."),
                {}};
    }
    const ConnectionStatus& status = session->status();
    if (status.phase == Phase::Lost) {
        return {QStringLiteral("error"), errorText(status.error), errorAdvice(status.error), {}};
    }
    if (status.phase != Phase::Ready) {
        return {QStringLiteral("clock"),
                BoardTextsText::tr("Connecting…"),
                BoardTextsText::tr("Waiting for %1 to answer.").arg(session->url().endpoint()),
                {}};
    }
    if (session->isPast() && !(session->board().summary() && session->board().summary()->scanned)) {
        return {QStringLiteral("clock"),
                BoardTextsText::tr("Reading the recording…"),
                BoardTextsText::tr("The state at that time appears here."),
                {}};
    }
    const std::optional<ScanSoFar> soFar = scanSoFar(*session);
    if (filtered) {
        const QString text = BoardTextsText::tr("No %1 matches the filter. Clear it to see all.")
                                 .arg(kindPluralWord(kind));
        return {QStringLiteral("search"),
                BoardTextsText::tr("Nothing matches"),
                soFar ? nothingSoFarText(*soFar) + QLatin1Char(' ') + text : text,
                {},
                soFar ? soFar->percent : std::nullopt};
    }
    const MonitorReport& report = session->report();
    if (!report.scan.missing.empty()) {
        QStringList lines;
        for (const Missing& missing : report.scan.missing)
            lines << missingText(missing, report.scan);
        if (report.scanProblem)
            lines << errorAdvice(*report.scanProblem);
        return {QStringLiteral("warning"),
                report.scan.skipped > 0 ? BoardTextsText::tr("%1 of %2 keys could not be read")
                                              .arg(QLocale().toString(report.scan.skipped),
                                                   QLocale().toString(report.scan.scanned))
                                        : BoardTextsText::tr("Not everything could be read"),
                lines.join(QLatin1Char(' ')).trimmed(),
                {}};
    }
    if (report.scanLost && !report.scan.complete) {
        return {QStringLiteral("warning"),
                BoardTextsText::tr("Keys are not scanned"),
                (errorText(*report.scanLost) + QStringLiteral(". ") + errorAdvice(*report.scanLost))
                    .trimmed(),
                {}};
    }
    if (!report.scan.complete) {
        const ScanCounts& scan = report.scan;
        return {QStringLiteral("search"),
                BoardTextsText::tr("Scanning…"),
                nothingSoFarText(soFar.value_or(
                    ScanSoFar{readSoFarText(scan.scanned, scan.expected), {}, true})),
                {},
                scannedPercent(scan.scanned, scan.expected)};
    }
    return {kindIconName(kind), BoardTextsText::tr("No %1 here").arg(kindPluralWord(kind)),
            teaching(kind), exampleDeclaration(kind)};
}

} // namespace lk
