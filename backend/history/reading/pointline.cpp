// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/reading/pointline.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

RecordedPoint at(qint64 tMs, double value)
{
    return {tMs, value, value, value, value};
}

} // namespace

void PointLine::add(const PointChange& change)
{
    if (change.point.tMs >= m_fromMs && change.point.tMs <= m_toMs)
        m_line.push_back(change.point);
    m_last = change;
}

// The time of the last value within its step is unknown, so it changes by itself from the step's
// end on.
double PointLine::valueAt(qint64 tMs) const
{
    const qint64 ranMs = std::max<qint64>(0, tMs - m_last->point.tMs - m_last->stepMs);
    const double value = m_last->point.last + double(m_running.drift) * double(ranMs);
    return m_running.drift < 0 ? std::max(value, std::min(m_last->point.last, 0.0)) : value;
}

// Continues the last value up to untilMs: constant, or changing by itself.
void PointLine::hold(qint64 untilMs)
{
    if (!m_last || m_last->point.isGap() || untilMs <= m_last->point.tMs || untilMs < m_fromMs)
        return;
    if (m_last->point.tMs < m_fromMs)
        m_line.push_back(at(m_fromMs, valueAt(m_fromMs)));
    if (m_running.drift != 0)
        run(std::min(untilMs, m_toMs));
    if (untilMs > m_fromMs && untilMs <= m_toMs)
        m_line.push_back(at(untilMs, valueAt(untilMs)));
}

// Adds the points between the last value and untilMs. Stops where a countdown reaches 0.
void PointLine::run(qint64 untilMs)
{
    const qint64 startMs = m_last->point.tMs + m_last->stepMs;
    qint64 endMs = untilMs;
    if (m_running.drift < 0)
        endMs = std::min(endMs, startMs + qint64(std::ceil(std::max(m_last->point.last, 0.0))) + 1);
    const qint64 everyMs = std::max<qint64>(1, m_running.everyMs);
    for (qint64 tMs = std::max(startMs, m_fromMs + 1); tMs < endMs; tMs += everyMs)
        m_line.push_back(at(tMs, valueAt(tMs)));
    if (endMs < untilMs && endMs > m_fromMs)
        m_line.push_back(at(endMs, valueAt(endMs)));
}

std::vector<RecordedPoint> PointLine::through(const std::vector<PointChange>& changes,
                                              const std::vector<RecordedGap>& gaps)
{
    m_line.clear();
    m_last.reset();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    auto gap = gaps.begin();
    const auto breakBefore = [&](qint64 tMs) {
        for (; gap != gaps.end() && gap->toMs <= tMs; ++gap) {
            hold(gap->fromMs);
            if (m_last)
                add({at(std::max(gap->fromMs + 1, m_last->point.tMs + 1), nan), 0});
        }
    };
    for (const PointChange& change : changes) {
        breakBefore(change.point.tMs);
        if (m_last && change.point.tMs > m_last->point.tMs + 1)
            hold(change.point.tMs - 1);
        add(change);
    }
    breakBefore(m_toMs);
    hold(std::min(m_knownMs, m_toMs));
    return std::move(m_line);
}

std::vector<RecordedPoint> thinned(std::vector<RecordedPoint> points, int maxPoints)
{
    const size_t most = size_t(std::max(maxPoints, 4));
    if (points.size() <= most)
        return points;
    // Keeps the first, smallest, largest and last point of each span of time, and a gap.
    const qint64 fromMs = points.front().tMs;
    const qint64 widthMs =
        std::max<qint64>(1, (points.back().tMs - fromMs + 1) / qint64(most / 4) + 1);
    std::vector<RecordedPoint> kept;
    for (size_t begin = 0; begin < points.size();) {
        const qint64 stretch = (points[begin].tMs - fromMs) / widthMs;
        size_t end = begin;
        size_t low = begin;
        size_t high = begin;
        std::optional<size_t> gap;
        for (; end < points.size() && (points[end].tMs - fromMs) / widthMs == stretch; ++end) {
            const RecordedPoint& p = points[end];
            if (p.isGap()) {
                gap = end;
                continue;
            }
            if (points[low].isGap() || p.smallest < points[low].smallest)
                low = end;
            if (points[high].isGap() || p.largest > points[high].largest)
                high = end;
        }
        std::vector<size_t> chosen{low, high, end - 1};
        chosen.push_back(gap.value_or(begin));
        std::sort(chosen.begin(), chosen.end());
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
        for (const size_t i : chosen)
            kept.push_back(points[i]);
        begin = end;
    }
    return kept;
}

} // namespace lk
