// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/timeview.h"

#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>
#include <array>

namespace lk {

namespace {

struct TimeViewText
{
    Q_DECLARE_TR_FUNCTIONS(lk::TimeView)
};

constexpr qint64 timeViewSecond = 1000;
constexpr qint64 timeViewMinute = 60 * timeViewSecond;
constexpr qint64 timeViewHour = 60 * timeViewMinute;
constexpr qint64 timeViewDay = 24 * timeViewHour;

constexpr double pastShare = 0.25; // of the width, for the time after the moment

constexpr std::array roundSteps{100ll,
                                200ll,
                                500ll,
                                timeViewSecond,
                                2 * timeViewSecond,
                                5 * timeViewSecond,
                                10 * timeViewSecond,
                                15 * timeViewSecond,
                                30 * timeViewSecond,
                                timeViewMinute,
                                2 * timeViewMinute,
                                5 * timeViewMinute,
                                10 * timeViewMinute,
                                15 * timeViewMinute,
                                30 * timeViewMinute,
                                timeViewHour,
                                2 * timeViewHour,
                                3 * timeViewHour,
                                6 * timeViewHour,
                                12 * timeViewHour,
                                timeViewDay,
                                2 * timeViewDay,
                                7 * timeViewDay,
                                30 * timeViewDay,
                                90 * timeViewDay};

qint64 stepFor(qint64 spanMs, int most)
{
    const qint64 wanted = spanMs / std::max(1, most);
    const auto step = std::ranges::lower_bound(roundSteps, wanted);
    return step == roundSteps.end() ? roundSteps.back() : *step;
}

/// Local midnight and full hours are round, not those of UTC.
qint64 localOffsetMs(qint64 tMs)
{
    return QDateTime::fromMSecsSinceEpoch(tMs).offsetFromUtc() * timeViewSecond;
}

QString clockLabel(qint64 tMs, qint64 step)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(tMs);
    if (step < timeViewSecond)
        return time.toString(QStringLiteral("HH:mm:ss.z")).left(10);
    if (step < timeViewMinute)
        return time.toString(QStringLiteral("HH:mm:ss"));
    if (step < timeViewDay)
        return time.toString(QStringLiteral("HH:mm"));
    return time.toString(QStringLiteral("MM-dd"));
}

QString relativeLabel(qint64 distance)
{
    if (distance == 0)
        return TimeViewText::tr("now");
    return distance > 0 ? QLatin1Char('+') + formatDuration(distance) : formatDuration(distance);
}

} // namespace

TimeView::TimeView(qint64 spanMs, double futureShare)
    : m_spanMs(std::clamp(spanMs, shortestMs, longestMs))
    , m_futureShare(futureShare)
{}

qint64 TimeView::followedEnd() const
{
    const double share = isPast() ? std::max(m_futureShare, pastShare) : m_futureShare;
    const qint64 end = m_nowMs + qint64(double(m_spanMs) * share);
    return isPast() && m_futureShare == 0 ? std::clamp(end, m_nowMs, knownToMs()) : end;
}

void TimeView::setNow(qint64 nowMs)
{
    m_nowMs = nowMs;
    if (m_following)
        m_toMs = followedEnd();
}

void TimeView::setSpan(qint64 spanMs)
{
    const qint64 middle = m_toMs - m_spanMs / 2;
    m_spanMs = std::clamp(spanMs, shortestMs, longestMs);
    if (m_following)
        follow();
    else
        standStill(middle + m_spanMs / 2);
}

qint64 TimeView::knownToMs() const
{
    return std::max(m_nowMs, m_endMs);
}

void TimeView::standStill(qint64 toMs)
{
    const qint64 last = std::max(followedEnd(), m_endMs);
    m_following = !isPast() && toMs >= last;
    m_toMs = std::min(toMs, last);
}

void TimeView::pan(double share)
{
    standStill(m_toMs + qint64(double(m_spanMs) * share));
}

void TimeView::zoom(double factor, double anchor)
{
    const double fixed = double(fromMs()) + double(m_spanMs) * anchor;
    m_spanMs = std::clamp(qint64(double(m_spanMs) * factor), shortestMs, longestMs);
    standStill(qint64(fixed + double(m_spanMs) * (1 - anchor)));
}

void TimeView::moveTo(qint64 fromMs)
{
    standStill(fromMs + m_spanMs);
}

void TimeView::follow()
{
    m_following = true;
    m_toMs = followedEnd();
}

std::vector<TimeTick> timeTicks(const TimeView& view, TimeLabels labels, int most)
{
    const qint64 step = stepFor(view.spanMs(), most);
    const qint64 origin =
        labels == TimeLabels::Relative ? view.nowMs() : -localOffsetMs(view.toMs());
    std::vector<TimeTick> ticks;
    qint64 t = view.fromMs() - (view.fromMs() - origin) % step;
    if (t < view.fromMs())
        t += step;
    for (; t <= view.toMs(); t += step) {
        ticks.push_back({t, labels == TimeLabels::Relative ? relativeLabel(t - view.nowMs())
                                                           : clockLabel(t, step)});
    }
    return ticks;
}

const std::vector<qint64>& chartSpans()
{
    static const std::vector<qint64> spans{timeViewMinute, 5 * timeViewMinute, 15 * timeViewMinute,
                                           timeViewHour, timeViewDay};
    return spans;
}

QString spanTitle(qint64 spanMs)
{
    if (spanMs < timeViewHour)
        return TimeViewText::tr("%Ln min", nullptr, int(spanMs / timeViewMinute));
    return TimeViewText::tr("%Ln h", nullptr, int(spanMs / timeViewHour));
}

} // namespace lk
