// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/server/statustexts.h"

#include "backend/findings/findings.h"
#include "backend/text/errortext.h"
#include "backend/text/scantext.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

struct StatusTextsText
{
    Q_DECLARE_TR_FUNCTIONS(lk::StatusTexts)
};

QString dataRate(double bytesPerSecond)
{
    return StatusTextsText::tr("%1/s").arg(
        QLocale().formattedDataSize(qint64(bytesPerSecond), 0, QLocale::DataSizeSIFormat));
}

QString besidePolled(const QString& text, const FeedStatus& feed)
{
    return feed.polled.isEmpty() ? text
                                 : text + StatusTextsText::tr("; %n node(s) polled", nullptr,
                                                              int(feed.polled.size()));
}

} // namespace

QString feedText(const FeedStatus& feed)
{
    switch (feed.mode) {
    case FeedStatus::Mode::Starting:
        return StatusTextsText::tr("starting");
    case FeedStatus::Mode::Tracking:
        return besidePolled(StatusTextsText::tr("client tracking, prefixes: %1").arg(feed.prefixes),
                            feed);
    case FeedStatus::Mode::Notifications:
        return besidePolled(
            StatusTextsText::tr("keyspace notifications, prefixes: %1").arg(feed.prefixes), feed);
    case FeedStatus::Mode::PollingOnly:
        break;
    }
    return StatusTextsText::tr("polling only");
}

QString feedToolTip(const FeedStatus& feed)
{
    const QString polled =
        feed.polled.isEmpty()
            ? QString()
            : QLatin1Char(' ') + StatusTextsText::tr("What is on %1 is polled instead: %2.")
                                     .arg(feed.polled.join(QStringLiteral(", ")), feed.reason);
    switch (feed.mode) {
    case FeedStatus::Mode::Starting:
        return StatusTextsText::tr("Finding out how this server reports changes");
    case FeedStatus::Mode::Tracking:
        return StatusTextsText::tr(
                   "The server reports which keys change (client tracking, only for detected "
                   "primitives; its configuration is untouched). Cost: %1.")
                   .arg(dataRate(double(feed.bytesPerSecond))) +
               polled;
    case FeedStatus::Mode::Notifications:
        return StatusTextsText::tr("Keyspace notifications were already on and are used. Cost: %1.")
                   .arg(dataRate(double(feed.bytesPerSecond))) +
               polled;
    case FeedStatus::Mode::PollingOnly:
        break;
    }
    return feed.reason.isEmpty()
               ? StatusTextsText::tr("Changes off screen are noticed by polling and rescans only")
               : StatusTextsText::tr(
                     "Changes off screen are noticed by polling and rescans only: %1")
                     .arg(feed.reason);
}

QString costText(const Cost& cost)
{
    return StatusTextsText::tr("%1 commands/s, %2")
        .arg(QLocale().toString(qRound(cost.commandsPerSecond)), dataRate(cost.bytesPerSecond));
}

QString payloadText(const MonitorReport& report)
{
    if (report.payloadsWaiting == 0)
        return {};
    return StatusTextsText::tr(" \u00b7 payloads waiting: %1")
        .arg(QLocale().toString(report.payloadsWaiting));
}

QString payloadToolTip(const MonitorReport& report)
{
    return StatusTextsText::tr("Jobs and list members are read when they change, at most %1.")
        .arg(dataRate(double(report.payloadBudget)));
}

QString roundTripText(const Cost& cost)
{
    if (cost.roundTripMs < 0)
        return QStringLiteral("\u2013");
    return StatusTextsText::tr("%1 ms").arg(
        QLocale().toString(cost.roundTripMs, 'f', cost.roundTripMs < 10 ? 1 : 0));
}

QString clockText(const ServerClock& clock)
{
    if (clock.source == TimeSource::Local)
        return StatusTextsText::tr(
            "unknown: no permission for TIME and INFO; this machine's clock is used");
    if (!clock.known())
        return StatusTextsText::tr("not measured yet");
    // Half the round trip is what the measurement cannot tell apart from an offset.
    QString text = StatusTextsText::tr("same as this machine's");
    if (std::abs(clock.offsetMs) > std::max<qint64>(2, clock.roundTripMs))
        text = clock.offsetMs > 0 ? StatusTextsText::tr("%1 ahead of this machine's")
                                        .arg(formatDuration(clock.offsetMs))
                                  : StatusTextsText::tr("%1 behind this machine's")
                                        .arg(formatDuration(-clock.offsetMs));
    return clock.source == TimeSource::Info
               ? StatusTextsText::tr("%1, from INFO: no permission for TIME").arg(text)
               : text;
}

QString readingText(const MonitorReport& report, const ServerInfo& info)
{
    if (report.leavesKeysUntouched)
        return StatusTextsText::tr("does not mark keys as used (CLIENT NO-TOUCH)");
    const bool evicts = info.evictsByUse() ||
                        std::any_of(report.nodes.begin(), report.nodes.end(), [](const auto& node) {
                            return evictsKeysByUse(node.durability.eviction);
                        });
    return evicts ? StatusTextsText::tr(
                        "marks keys as recently used: CLIENT NO-TOUCH is missing, unsafe or "
                        "denied. This server evicts by use, so rows off screen are read half "
                        "as often")
                  : StatusTextsText::tr(
                        "marks keys as recently used, which this server does not evict by");
}

QStringList serverTrouble(const ServerInfo& info, const MonitorReport& report)
{
    QStringList all;
    ServerFacts server = info.facts({});
    server.nodes = report.nodes;
    if (report.map)
        server.unserved = report.map->unserved();
    for (const Finding& finding : findingsOfServer(server)) {
        if (finding.about != Finding::About::Settings)
            all << finding.message;
    }
    if (info.number("loading").value_or(0) != 0)
        all << errorText({ErrorCode::Loading, info.loadingText()}) + QLatin1Char('.');
    QStringList silent;
    for (const NodeFacts& node : report.nodes) {
        if (node.slotCount.value_or(0) > 0 && node.reachable == false)
            silent << node.endpoint;
    }
    if (!silent.isEmpty())
        all << StatusTextsText::tr(
                   "No answer from %1: keys there are shown as they last were, or not at "
                   "all. Retrying automatically.")
                   .arg(silent.join(QStringLiteral(", ")));
    for (const Missing& missing : report.scan.missing) {
        if (missing.cause == Missing::Cause::Stopped && !missing.detail.isEmpty())
            all << missingText(missing, report.scan) + QLatin1Char(' ') +
                       StatusTextsText::tr(
                           "Boards show these keys only. Estimate the rest with lockkeeper "
                           "snapshot URL --sample 100000, or raise the limit (Server menu) "
                           "and rescan.");
    }
    if (report.scanLost)
        all << StatusTextsText::tr("Keys are not scanned: %1. Retrying automatically.")
                   .arg(errorText(*report.scanLost));
    return all;
}

QString scanText(const MonitorReport& report)
{
    const QLocale locale;
    const ScanCounts& scan = report.scan;
    if (report.scanLost && !scan.complete)
        return StatusTextsText::tr("keys are not scanned: %1").arg(errorText(*report.scanLost));
    QString text = StatusTextsText::tr("scanned %1 · detected %2 · not recognized %3")
                       .arg(locale.toString(scan.scanned), locale.toString(scan.matched),
                            locale.toString(scan.notRecognized));
    if (scan.skipped > 0)
        text += StatusTextsText::tr(" \u00b7 skipped %1").arg(locale.toString(scan.skipped));
    if (report.scanning && report.firstScan)
        text += QStringLiteral(" \u00b7 ") + scanProgressText(scan);
    else if (!scan.missing.empty())
        text += StatusTextsText::tr(" \u00b7 incomplete");
    return text;
}

QString scanProgressText(const ScanCounts& scan)
{
    return scanningText(scan.scanned, scan.expected, scan.elapsedMs);
}

QString scanToolTip(const MonitorReport& report)
{
    if (report.scan.missing.empty())
        return report.scanProblem
                   ? errorText(*report.scanProblem)
                   : StatusTextsText::tr("Detected keys belong to a primitive; keys not "
                                         "recognized are counted and left alone");
    QStringList lines;
    for (const Missing& missing : report.scan.missing)
        lines << missingText(missing, report.scan);
    return lines.join(QLatin1Char('\n'));
}

QString connectionText(const ConnectionStatus& status, const QString& endpoint, qint64 lostForMs,
                       qint64 nextTryMs)
{
    using Phase = ConnectionStatus::Phase;
    switch (status.phase) {
    case Phase::Closed:
        return StatusTextsText::tr("Not connected.");
    case Phase::Resolving:
        return StatusTextsText::tr("Looking up %1…").arg(endpoint);
    case Phase::Connecting:
        return StatusTextsText::tr("Connecting to %1…").arg(endpoint);
    case Phase::Authenticating:
        return StatusTextsText::tr("Logging in at %1…").arg(endpoint);
    case Phase::Ready:
        return StatusTextsText::tr("Connected.");
    case Phase::Lost:
        break;
    }
    // A Sentinel group is followed automatically. A master that is being tried again is master only
    // by the Sentinels' word so far.
    if (status.error.code == ErrorCode::Replica)
        return status.nextTryInMs > 0 || status.error.detail.isEmpty()
                   ? StatusTextsText::tr("Failover: waiting for the new master.")
                   : StatusTextsText::tr("Failover: connecting to the new master %1.")
                         .arg(status.error.detail);
    const QString since = status.generation > 0 ? StatusTextsText::tr("Connection lost %1 ago: ")
                                                      .arg(formatDuration(lostForMs / 1000 * 1000))
                                                : QString();
    QString text = since + errorText(status.error) + QLatin1Char('.');
    const QString advice = errorAdvice(status.error);
    // Advice for the user, even though the connection is retried.
    const bool helps = status.error.code == ErrorCode::ServerClosed ||
                       status.error.code == ErrorCode::NoTlsThere ||
                       status.error.code == ErrorCode::TooManyClients;
    if (!advice.isEmpty() && (helps || nextTryMs <= 0))
        text += QLatin1Char(' ') + advice;
    if (nextTryMs > 0)
        text += StatusTextsText::tr(" Retrying in %1 s.")
                    .arg(std::max<qint64>(1, (nextTryMs + 999) / 1000));
    return text;
}

} // namespace lk
