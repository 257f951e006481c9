// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace lk {

/// The span of time that a chart shows. It follows now, or it stands still after the user has moved
/// it. All times are milliseconds of server time. Pure.
class TimeView
{
public:
    static constexpr qint64 shortestMs = 1000;
    static constexpr qint64 longestMs = 2 * 366 * 24 * 3600 * 1000ll; // as the recording

    /// futureShare: how much of the width lies to the right of now while following, 0 to 0.9.
    explicit TimeView(qint64 spanMs, double futureShare = 0);

    void setNow(qint64 nowMs);
    /// Sets the present if now is a moment in the past: the view may move up to endMs. 0: now is
    /// the present.
    void setEnd(qint64 endMs) { m_endMs = endMs; }
    void setSpan(qint64 spanMs); ///< keeps following, or keeps the middle
    // All three end following, unless they lead to now: there is nothing beyond it to look at.
    void pan(double share);                  ///< share of the span; negative: into the past
    void zoom(double factor, double anchor); ///< below 1: closer. anchor: 0 left to 1 right.
    void moveTo(qint64 fromMs);
    void follow();
    void hold() { m_following = false; } ///< stays where it is

    qint64 nowMs() const { return m_nowMs; }
    bool isPast() const { return m_endMs > 0; }
    /// The end of what is known: now, or the present while now is a moment in the past.
    qint64 knownToMs() const;
    qint64 fromMs() const { return m_toMs - m_spanMs; }
    qint64 toMs() const { return m_toMs; }
    qint64 spanMs() const { return m_spanMs; }
    bool following() const { return m_following; }

private:
    qint64 followedEnd() const;
    void standStill(qint64 toMs);

    qint64 m_spanMs;
    double m_futureShare;
    qint64 m_nowMs = 0;
    qint64 m_endMs = 0;
    qint64 m_toMs = 0;
    bool m_following = true;
};

/// A labelled place on a time axis.
struct TimeTick
{
    qint64 tMs = 0;
    QString label;
};

/// The labels of a time axis.
enum class TimeLabels : quint8 {
    Clock,    ///< local time, as fine as the step needs: "14:03", "14:03:20"
    Relative, ///< to now: "-30 s", "now", "+10 s"
};

/// Places at round times, at most `most` of them.
std::vector<TimeTick> timeTicks(const TimeView& view, TimeLabels labels, int most);

/// The spans that the user can choose, shortest first, and their titles.
const std::vector<qint64>& chartSpans();
QString spanTitle(qint64 spanMs);

} // namespace lk
