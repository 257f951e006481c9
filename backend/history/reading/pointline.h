// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

namespace lk {

/// Makes of the changes of a number the line that it was: a value is held until the next, nothing
/// is known while nobody recorded. Pure.
class PointLine
{
public:
    /// knownMs: until when the last value is known to have held.
    PointLine(qint64 fromMs, qint64 toMs, qint64 knownMs)
        : m_fromMs(fromMs)
        , m_toMs(toMs)
        , m_knownMs(knownMs)
    {}

    /// Both oldest first. The first point is at fromMs where a value held then.
    std::vector<RecordedPoint> through(const std::vector<RecordedPoint>& changes,
                                       const std::vector<RecordedGap>& gaps);

private:
    void hold(qint64 untilMs);
    void add(const RecordedPoint& point);

    qint64 m_fromMs;
    qint64 m_toMs;
    qint64 m_knownMs;
    std::vector<RecordedPoint> m_line;
    std::optional<RecordedPoint> m_last;
};

/// At most maxPoints of these (4 at least), keeping the extremes and the gaps of each stretch.
std::vector<RecordedPoint> thinned(std::vector<RecordedPoint> points, int maxPoints);

} // namespace lk
