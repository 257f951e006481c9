// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/time/duration.h"

#include "backend/core/jobs.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QTimeZone>

#include <algorithm>
#include <array>

namespace lk {

namespace {

struct DurationText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Duration)
};

constexpr qint64 second = 1000;
constexpr qint64 minute = 60 * second;
constexpr qint64 hour = 60 * minute;
constexpr qint64 day = 24 * hour;
constexpr qint64 longest = 366 * 100 * day; // keeps every sum of two durations inside 64 bits

struct Unit
{
    QStringView suffix;
    qint64 ms;
};

// "ms" before "m" and "s": the longest suffix has to match first.
constexpr std::array units{Unit{u"ms", 1}, Unit{u"s", second}, Unit{u"m", minute}, Unit{u"h", hour},
                           Unit{u"d", day}};

QString twoUnits(qint64 big, const QString& bigUnit, qint64 small, const QString& smallUnit)
{
    if (small == 0)
        return QStringLiteral("%1 %2").arg(big).arg(bigUnit);
    return QStringLiteral("%1 %2 %3 %4").arg(big).arg(bigUnit).arg(small).arg(smallUnit);
}

} // namespace

Result<qint64> parseDuration(QStringView text)
{
    const QStringView t = text.trimmed();
    for (const Unit& unit : units) {
        if (!t.endsWith(unit.suffix))
            continue;
        bool ok = false;
        const qint64 count = t.chopped(unit.suffix.size()).trimmed().toLongLong(&ok);
        if (!ok)
            break;
        if (count <= 0 || count > longest / unit.ms)
            return failure(ErrorCode::BadArgument,
                           DurationText::tr("\"%1\" is out of range; a duration must be above zero")
                               .arg(text));
        return count * unit.ms;
    }
    return failure(
        ErrorCode::BadArgument,
        DurationText::tr("\"%1\" is not a duration; use a form such as 250ms, 1s, 10m, 24h or "
                         "7d")
            .arg(text));
}

QString formatDuration(qint64 ms)
{
    if (ms < 0)
        return QStringLiteral("\u2212") + formatDuration(-std::max(ms, -longest));
    const QString msUnit = DurationText::tr("ms", "milliseconds");
    const QString sUnit = DurationText::tr("s", "seconds");
    const QString mUnit = DurationText::tr("m", "minutes");
    const QString hUnit = DurationText::tr("h", "hours");
    const QString dUnit = DurationText::tr("d", "days");
    if (ms < second)
        return QStringLiteral("%1 %2").arg(ms).arg(msUnit);
    if (ms < 10 * second && ms % second != 0)
        return QStringLiteral("%1 %2").arg(double(ms / 100) / 10.0, 0, 'f', 1).arg(sUnit);
    if (ms < minute)
        return QStringLiteral("%1 %2").arg(ms / second).arg(sUnit);
    if (ms < hour)
        return twoUnits(ms / minute, mUnit, ms % minute / second, sUnit);
    if (ms < day)
        return twoUnits(ms / hour, hUnit, ms % hour / minute, mUnit);
    return twoUnits(ms / day, dUnit, ms % day / hour, hUnit);
}

QString formatDurationShort(qint64 ms)
{
    return formatDuration(ms).remove(QLatin1Char(' '));
}

QStringList shorterForms(const QString& duration)
{
    QStringList forms{duration};
    const QStringList words = duration.split(QLatin1Char(' '));
    if (words.size() == 4)
        forms << words[0] + QLatin1Char(' ') + words[1];
    else if (const qsizetype point = duration.indexOf(QLatin1Char('.'));
             point > 0 && words.size() == 2)
        forms << duration.left(point) + QLatin1Char(' ') + words[1];
    return forms;
}

QString dueText(qint64 dueMs, qint64 nowMs)
{
    if (dueMs > nowMs)
        return formatDuration(dueMs - nowMs);
    return nowMs - dueMs <= overdueAfterMs
               ? DurationText::tr("now", "due")
               : DurationText::tr("overdue %1").arg(formatDuration(nowMs - dueMs));
}

QString sinceText(qint64 ms, qint64 nowMs)
{
    const QDateTime moment = QDateTime::fromMSecsSinceEpoch(ms);
    return moment.toString(nowMs - ms < day ? QStringLiteral("hh:mm")
                                            : QStringLiteral("yyyy-MM-dd hh:mm"));
}

QString momentText(qint64 ms)
{
    const QDateTime utc = QDateTime::fromMSecsSinceEpoch(ms).toUTC();
    const QDateTime local = utc.toLocalTime();
    const QString day = QStringLiteral("yyyy-MM-dd hh:mm:ss");
    if (local.offsetFromUtc() == 0)
        return DurationText::tr("%1 UTC").arg(utc.toString(day));
    // The date in UTC is added if it differs.
    return DurationText::tr("%1 %2 (%3 UTC)")
        .arg(local.toString(day), local.timeZoneAbbreviation(),
             utc.toString(utc.date() == local.date() ? QStringLiteral("hh:mm:ss") : day));
}

} // namespace lk
