// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

namespace lk {

/// The value that a number changed to. stepMs: the step of its tier, within which it may have
/// changed again.
struct PointChange
{
    RecordedPoint point;
    qint64 stepMs = 0;
};

/// Builds a line from the changes of a number. A value is held until the next one, or changes by
/// itself at a constant rate. The line has gaps where no program recorded. Pure.
class PointLine
{
public:
    /// How a number changes by itself.
    struct Running
    {
        int drift = 0;      ///< per millisecond: -1 counts down to 0, 1 grows
        qint64 everyMs = 1; ///< the distance of the points that show it
    };

    /// knownMs: the time up to which the last value is known to hold.
    PointLine(qint64 fromMs, qint64 toMs, qint64 knownMs, Running running)
        : m_fromMs(fromMs)
        , m_toMs(toMs)
        , m_knownMs(knownMs)
        , m_running(running)
    {}

    /// changes and gaps: oldest first. The first point is at fromMs if a value was valid then.
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

/// Returns at most maxPoints of these (at least 4), keeping the extremes and the gaps of each span.
std::vector<RecordedPoint> thinned(std::vector<RecordedPoint> points, int maxPoints);

} // namespace lk
