// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chartformat.h"

#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <cmath>

namespace lk {

namespace {

struct ChartFormatText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Chart)
};

double decimalStep(double wanted)
{
    const double power = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= wanted * (1 - 1e-9))
            return factor * power;
    }
    return 10 * power;
}

double durationStep(double wantedMs)
{
    static constexpr double round[] = {
        1e3,   2e3,   5e3,    10e3,   15e3,       30e3,       60e3,       120e3,       300e3,
        600e3, 900e3, 1800e3, 3600e3, 2 * 3600e3, 3 * 3600e3, 6 * 3600e3, 12 * 3600e3, 24 * 3600e3};
    if (wantedMs <= 500)
        return decimalStep(wantedMs);
    for (const double step : round) {
        if (step >= wantedMs)
            return step;
    }
    return 24 * 3600e3 * decimalStep(wantedMs / (24 * 3600e3));
}

} // namespace

QString valueText(double value, Metric::Unit unit)
{
    if (std::isnan(value))
        return ChartFormatText::tr("no data");
    if (unit == Metric::Unit::Milliseconds)
        return formatDuration(qint64(std::llround(value)));
    if (std::abs(value) >= 100)
        return QLocale().toString(qint64(std::llround(value))); // a tenth of it says nothing
    const double tenths = std::round(value * 10) / 10;
    if (tenths == std::floor(tenths) && (tenths != 0 || value == 0))
        return QLocale().toString(qint64(tenths));
    if (std::abs(value) >= 0.95)
        return QLocale().toString(tenths, 'f', 1);
    // A small rate is not none.
    return std::abs(value) < 0.005 ? QStringLiteral("<\u2009") + QLocale().toString(0.01, 'f', 2)
                                   : QLocale().toString(value, 'g', 2);
}

QString axisText(double value, Metric::Unit unit)
{
    if (value == 0)
        return QStringLiteral("0");
    if (unit == Metric::Unit::Milliseconds)
        return formatDurationShort(qint64(std::llround(value)));
    static constexpr struct
    {
        double size;
        QStringView suffix;
    } scales[] = {{1e9, u"G"}, {1e6, u"M"}, {1e3, u"k"}};
    for (const auto& scale : scales) {
        if (value >= scale.size)
            return QLocale().toString(value / scale.size, 'g', 4) + scale.suffix.toString();
    }
    return QLocale().toString(value, 'g', 4);
}

double roundStep(double top, int most, Metric::Unit unit)
{
    const double wanted = std::max(1.0, top / std::max(1, most));
    return unit == Metric::Unit::Milliseconds ? durationStep(wanted) : decimalStep(wanted);
}

QString numberCell(double value)
{
    constexpr double wholeUpTo = 9e15;
    const bool whole = value == std::floor(value) && std::abs(value) < wholeUpTo;
    return whole ? QString::number(qint64(value)) : QString::number(value, 'g', 7);
}

QString utcText(qint64 tMs)
{
    return QDateTime::fromMSecsSinceEpoch(tMs).toUTC().toString(Qt::ISODateWithMs);
}

QString clockText(qint64 tMs, qint64 nowMs)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(tMs);
    const QString clock = time.toString(QStringLiteral("HH:mm:ss"));
    if (time.date() == QDateTime::fromMSecsSinceEpoch(nowMs).date())
        return clock;
    return QLocale().toString(time.date(), QLocale::ShortFormat) + QLatin1Char(' ') + clock;
}

QString zoneText(qint64 tMs)
{
    const int minutes = QDateTime::fromMSecsSinceEpoch(tMs).offsetFromUtc() / 60;
    if (minutes == 0)
        return QStringLiteral("UTC");
    return QStringLiteral("UTC%1%2:%3")
        .arg(minutes < 0 ? QLatin1Char('-') : QLatin1Char('+'))
        .arg(std::abs(minutes) / 60, 2, 10, QLatin1Char('0'))
        .arg(std::abs(minutes) % 60, 2, 10, QLatin1Char('0'));
}

QString relativeText(qint64 tMs, qint64 nowMs)
{
    if (tMs == nowMs)
        return ChartFormatText::tr("now");
    return tMs < nowMs ? ChartFormatText::tr("%1 ago").arg(formatDuration(nowMs - tMs))
                       : ChartFormatText::tr("in %1").arg(formatDuration(tMs - nowMs));
}

} // namespace lk
