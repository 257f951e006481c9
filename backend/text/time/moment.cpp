// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/time/moment.h"

#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QRegularExpression>

namespace lk {

namespace {

struct MomentText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Moment)
};

constexpr qint64 latestMs = 253'402'300'799'999; // the end of the year 9999

enum class Side { Before, After };

// "3:12", "03:12:30": today, or yesterday where that has still to come; after now: today or
// tomorrow.
std::optional<qint64> timeOfDay(const QString& text, qint64 nowMs, const QTimeZone& zone, Side side)
{
    static const QRegularExpression form(
        QStringLiteral("^([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?$"));
    const QRegularExpressionMatch match = form.match(text);
    const QTime time(match.captured(1).toInt(), match.captured(2).toInt(),
                     match.captured(3).toInt());
    if (!match.hasMatch() || !time.isValid())
        return std::nullopt;
    const QDate today = QDateTime::fromMSecsSinceEpoch(nowMs, zone).date();
    const qint64 ms = QDateTime(today, time, zone).toMSecsSinceEpoch();
    if (side == Side::After)
        return ms > nowMs ? ms : QDateTime(today.addDays(1), time, zone).toMSecsSinceEpoch();
    return ms <= nowMs ? ms : QDateTime(today.addDays(-1), time, zone).toMSecsSinceEpoch();
}

std::optional<qint64> isoMoment(const QString& text, const QTimeZone& zone)
{
    static const QRegularExpression form(
        QStringLiteral("^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}"
                       "(?:\\.[0-9]{1,3})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?$"));
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    QString iso = text;
    if (iso.size() > 10)
        iso[10] = QLatin1Char('T');
    QDateTime moment = QDateTime::fromString(iso, Qt::ISODateWithMs);
    if (!moment.isValid())
        return std::nullopt;
    if (match.capturedLength(1) == 0)
        moment = QDateTime(moment.date(), moment.time(), zone);
    return moment.toMSecsSinceEpoch();
}

} // namespace

Result<qint64> parseMoment(QStringView text, qint64 nowMs, const QTimeZone& zone)
{
    const QString word = text.trimmed().toString();
    if (word.compare(QLatin1String("now"), Qt::CaseInsensitive) == 0)
        return nowMs;
    if (word.startsWith(QLatin1Char('-')) || word.startsWith(QChar(0x2212))) {
        if (const Result<qint64> ago = parseDuration(QStringView(word).mid(1)); ago && *ago < nowMs)
            return nowMs - *ago;
    } else if (const std::optional<qint64> today = timeOfDay(word, nowMs, zone, Side::Before)) {
        return *today;
    } else if (const std::optional<qint64> moment = isoMoment(word, zone);
               moment && *moment > 0 && *moment <= latestMs) {
        return *moment;
    }
    return failure(
        ErrorCode::BadArgument,
        MomentText::tr("\"%1\" is not a time; use a form such as 2026-03-01T03:12, 03:12, "
                       "-2h or now")
            .arg(word));
}

Result<qint64> parseMomentAhead(QStringView text, qint64 nowMs, const QTimeZone& zone)
{
    const QString word = text.trimmed().toString();
    std::optional<qint64> found = timeOfDay(word, nowMs, zone, Side::After);
    if (!found)
        found = isoMoment(word, zone);
    if (!found) {
        const auto in = parseDuration(QStringView(word).mid(word.startsWith(QLatin1Char('+'))));
        if (in && *in <= latestMs - nowMs)
            found = nowMs + *in;
    }
    if (found && *found > nowMs && *found <= latestMs)
        return *found;
    return failure(ErrorCode::BadArgument,
                   MomentText::tr("\"%1\" is not in the future; use a form such as +2h, 06:00 or "
                                  "2026-03-01T06:00")
                       .arg(word));
}

} // namespace lk
