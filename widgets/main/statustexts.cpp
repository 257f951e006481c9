// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/main/statustexts.h"

#include "backend/core/duration.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::StatusTexts)
};

QString dataRate(double bytesPerSecond)
{
    return Text::tr("%1/s").arg(
        QLocale().formattedDataSize(qint64(bytesPerSecond), 0, QLocale::DataSizeSIFormat));
}

} // namespace

QString feedText(const FeedStatus& feed)
{
    switch (feed.mode) {
    case FeedStatus::Mode::Starting:
        return Text::tr("starting");
    case FeedStatus::Mode::Tracking:
        return Text::tr("tracking, prefixes: %1").arg(feed.prefixes);
    case FeedStatus::Mode::Notifications:
        return Text::tr("keyspace notifications, prefixes: %1").arg(feed.prefixes);
    case FeedStatus::Mode::Sweep:
        break;
    }
    return Text::tr("slow sweep");
}

QString feedToolTip(const FeedStatus& feed)
{
    switch (feed.mode) {
    case FeedStatus::Mode::Starting:
        return Text::tr("Finding out how this server can tell of changes");
    case FeedStatus::Mode::Tracking:
        return Text::tr("The server tells which keys change (client tracking, limited to what is "
                        "shown here; its configuration is untouched). It costs %1.")
            .arg(dataRate(double(feed.bytesPerSecond)));
    case FeedStatus::Mode::Notifications:
        return Text::tr("Keyspace notifications were on already and are listened to. They cost %1.")
            .arg(dataRate(double(feed.bytesPerSecond)));
    case FeedStatus::Mode::Sweep:
        break;
    }
    return feed.reason.isEmpty()
               ? Text::tr("Changes off screen are found by a slow walk over the keys")
               : Text::tr("Changes off screen are found by a slow walk over the keys: %1")
                     .arg(feed.reason);
}

QString costText(const Cost& cost)
{
    return Text::tr("%1 commands/s, %2")
        .arg(QLocale().toString(qRound(cost.commandsPerSecond)), dataRate(cost.bytesPerSecond));
}

QString roundTripText(const Cost& cost)
{
    if (cost.roundTripMs < 0)
        return QStringLiteral("\u2013");
    return Text::tr("%1 ms").arg(QLocale().toString(cost.roundTripMs, 'f',
                                                    cost.roundTripMs < 10 ? 1 : 0));
}

QString clockText(const ServerClock& clock)
{
    if (!clock.known())
        return Text::tr("not measured yet");
    // Half the round trip is what the measurement cannot tell apart from an offset.
    if (std::abs(clock.offsetMs) <= std::max<qint64>(2, clock.roundTripMs))
        return Text::tr("agrees with this machine's");
    return clock.offsetMs > 0
               ? Text::tr("%1 ahead of this machine's").arg(formatDuration(clock.offsetMs))
               : Text::tr("%1 behind this machine's").arg(formatDuration(-clock.offsetMs));
}

QString scanText(const MonitorReport& report)
{
    const QLocale locale;
    QString text = Text::tr("scanned %1 \u00b7 claimed %2 \u00b7 unclaimed %3")
                       .arg(locale.toString(report.scan.scanned),
                            locale.toString(report.scan.matched),
                            locale.toString(report.scan.unclaimed));
    if (report.scan.skipped > 0)
        text += Text::tr(" \u00b7 skipped %1").arg(locale.toString(report.scan.skipped));
    if (!report.scan.complete)
        text += Text::tr(" \u00b7 still looking");
    return text;
}

QString connectionText(const ConnectionStatus& status, const QString& endpoint, qint64 lostForMs,
                       qint64 nextTryMs)
{
    using Phase = ConnectionStatus::Phase;
    switch (status.phase) {
    case Phase::Closed:
        return Text::tr("Not connected.");
    case Phase::Resolving:
        return Text::tr("Looking up %1…").arg(endpoint);
    case Phase::Connecting:
        return Text::tr("Connecting to %1…").arg(endpoint);
    case Phase::Authenticating:
        return Text::tr("Logging in at %1…").arg(endpoint);
    case Phase::Ready:
        return Text::tr("Connected.");
    case Phase::Lost:
        break;
    }
    const QString since = status.generation > 0
                              ? Text::tr("Connection lost %1 ago: ").arg(formatDuration(
                                    lostForMs / 1000 * 1000))
                              : QString();
    QString text = since + errorText(status.error) + QLatin1Char('.');
    if (nextTryMs > 0)
        text += Text::tr(" Next try in %1 s.").arg(std::max<qint64>(1, (nextTryMs + 999) / 1000));
    else if (const QString advice = errorAdvice(status.error); !advice.isEmpty())
        text += QLatin1Char(' ') + advice;
    return text;
}

} // namespace lk
