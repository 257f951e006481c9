// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/board/boardtexts.h"

#include "backend/findings/findings.h"
#include "backend/layouts/layout.h"
#include "backend/session/session.h"
#include "backend/text/errortext.h"
#include "backend/text/kindtitles.h"
#include "backend/text/time/duration.h"
#include "widgets/theme/icon.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <climits>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::BoardTexts)
};

QString teaching(Kind kind)
{
    switch (kind) {
    case Kind::Limiter:
        return Text::tr(
            "Sorted sets of request times, counters with a TTL, gates and the limiters "
            "of common libraries are detected and appear here. Declare what Redis does not store, "
            "such as a limit, in a configuration file:");
    case Kind::Lock:
        return Text::tr("Keys set with NX and a TTL, and timestamp locks, appear here while they "
                        "are held. Declare keys whose names give no hint:");
    case Kind::Queue:
        return Text::tr("Lists with a processing list appear here. Declare which list is the "
                        "processing list of which queue:");
    case Kind::Token:
        return Text::tr("One-time codes and token hashes appear here while they exist. Their "
                        "payload is never shown. Declare your own prefixes:");
    case Kind::Pattern:
        break;
    }
    return Text::tr("Counters, rotations, navigation sessions, bitmaps per day, cached sorts and "
                    "weighted sets appear here if their names say what they are. Declare others, "
                    "and the record size of arrays:");
}

} // namespace

QString readAgoText(const State& state, const Session& session)
{
    constexpr qint64 toldAgeMs = 3000;
    const qint64 ageMs = session.serverNowMs() - state.asOfMs;
    return !session.isPast() && session.report().isBehind() && ageMs >= toldAgeMs
               ? Text::tr("read %1 ago").arg(formatDuration(ageMs))
               : QString();
}

QString estimateText(const Session& session)
{
    const MonitorReport& report = session.report();
    return report.isBehind() ? Text::tr("An estimate: %Ln changes are not read yet.", nullptr,
                                        int(std::min<qint64>(report.backlog, INT_MAX)))
                             : QString();
}

EmptyText emptyText(Kind kind, const Session* session, bool filtered)
{
    using Phase = ConnectionStatus::Phase;
    if (!session) {
        return {QStringLiteral("connect"),
                Text::tr("No server"),
                Text::tr("Connect to Redis with Ctrl+N, or open the demo."),
                {}};
    }
    const ConnectionStatus& status = session->status();
    if (status.phase == Phase::Lost) {
        return {QStringLiteral("error"), errorText(status.error), errorAdvice(status.error), {}};
    }
    if (status.phase != Phase::Ready) {
        return {QStringLiteral("clock"),
                Text::tr("Connecting…"),
                Text::tr("Waiting for %1 to answer.").arg(session->url().endpoint()),
                {}};
    }
    if (session->isPast() && !(session->summary() && session->summary()->scanned)) {
        return {QStringLiteral("clock"),
                Text::tr("Reading the recording…"),
                Text::tr("The state at that time appears here."),
                {}};
    }
    if (filtered) {
        return {
            QStringLiteral("search"),
            Text::tr("Nothing matches"),
            Text::tr("No %1 matches the filter. Clear it to see all.").arg(kindPluralWord(kind)),
            {}};
    }
    const MonitorReport& report = session->report();
    if (!report.scan.missing.empty()) {
        QStringList lines;
        for (const Missing& missing : report.scan.missing)
            lines << missingText(missing, report.scan);
        if (report.scanProblem)
            lines << errorAdvice(*report.scanProblem);
        return {QStringLiteral("warning"),
                report.scan.skipped > 0 ? Text::tr("%1 of %2 keys could not be read")
                                              .arg(QLocale().toString(report.scan.skipped),
                                                   QLocale().toString(report.scan.scanned))
                                        : Text::tr("Not everything could be read"),
                lines.join(QLatin1Char(' ')).trimmed(),
                {}};
    }
    if (report.scanLost && !report.scan.complete) {
        return {QStringLiteral("warning"),
                Text::tr("Keys are not scanned"),
                (errorText(*report.scanLost) + QStringLiteral(". ") + errorAdvice(*report.scanLost))
                    .trimmed(),
                {}};
    }
    if (!report.scan.complete) {
        return {QStringLiteral("search"),
                Text::tr("Scanning…"),
                Text::tr("%Ln key(s) scanned so far.", nullptr, int(report.scan.scanned)),
                {}};
    }
    return {kindIconName(kind), Text::tr("No %1 here").arg(kindPluralWord(kind)), teaching(kind),
            exampleDeclaration(kind)};
}

} // namespace lk
