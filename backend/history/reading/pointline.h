// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

namespace lk {

/// What a number changed to. stepMs: of its tier, within which it may have changed once more.
struct PointChange
{
    RecordedPoint point;
    qint64 stepMs = 0;
};

/// Makes of the changes of a number the line that it was: a value is held until the next, or runs
/// on by itself, and nothing is known while nobody recorded. Pure.
class PointLine
{
public:
    /// What runs by itself.
    struct Running
    {
        int drift = 0;      ///< a millisecond: -1 runs down to 0, 1 grows
        qint64 everyMs = 1; ///< so far apart the points are that show it
    };

    /// knownMs: until when the last value is known to have held.
    PointLine(qint64 fromMs, qint64 toMs, qint64 knownMs, Running running)
        : m_fromMs(fromMs)
        , m_toMs(toMs)
        , m_knownMs(knownMs)
        , m_running(running)
    {}

    /// Both oldest first. The first point is at fromMs where a value held then.
    std::vector<RecordedPoint> through(const std::vector<PointChange>& changes,
                                       const std::vector<RecordedGap>& gaps);

private:
    void hold(qint64 untilMs);
    void run(qint64 untilMs);
    double valueAt(qint64 tMs) const;
    void add(const PointChange& change);

    qint64 m_fromMs;
    qint64 m_toMs;
    qint64 m_knownMs;
    Running m_running;
    std::vector<RecordedPoint> m_line;
    std::optional<PointChange> m_last;
};

/// At most maxPoints of these (4 at least), keeping the extremes and the gaps of each stretch.
std::vector<RecordedPoint> thinned(std::vector<RecordedPoint> points, int maxPoints);

} // namespace lk
