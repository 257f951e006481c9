// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/series.h"

#include <algorithm>

namespace lk {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
const double nothing = std::copysign(unknown, -1.0); // see isAbsent()

/// Appends the first, smallest, largest and last point of a span in the order of time, and its gap
/// if it ends in one or contains one.
void pushExtremes(std::vector<SeriesPoint>& out, const SeriesPoint* begin, const SeriesPoint* end)
{
    const SeriesPoint* smallest = nullptr;
    const SeriesPoint* largest = nullptr;
    const SeriesPoint* gap = nullptr;
    for (const SeriesPoint* p = begin; p != end; ++p) {
        if (std::isnan(p->value)) {
            gap = p;
            continue;
        }
        if (!smallest || p->value < smallest->value)
            smallest = p;
        if (!largest || p->value > largest->value)
            largest = p;
    }
    std::vector<const SeriesPoint*> kept{begin, smallest, largest, gap, end - 1};
    std::erase(kept, nullptr);
    std::ranges::sort(kept);
    const auto repeated = std::ranges::unique(kept);
    kept.erase(repeated.begin(), repeated.end());
    for (const SeriesPoint* p : kept)
        out.push_back(*p);
}

} // namespace

template<typename T> void Series::Ring<T>::push(const T& item)
{
    if (isFull()) {
        m_items[m_head] = item;
        m_head = (m_head + 1) % m_capacity;
        return;
    }
    if (m_items.size() == m_items.capacity())
        m_items.reserve(std::min(m_capacity, std::max<size_t>(8, 2 * m_items.size())));
    m_items.push_back(item);
}

void Series::Tier::append(qint64 tMs, double value, double before)
{
    const auto index = quint32(tMs / stepMs);
    const auto number = float(value);
    if (!ranges.isEmpty() && index <= ranges.last().index) {
        Range& range = ranges.last();
        range.smallest = std::min(range.smallest, number);
        range.largest = std::max(range.largest, number);
        return;
    }
    if (std::isnan(before) && !ranges.isEmpty() && index > ranges.last().index + 1)
        ranges.push({ranges.last().index + 1, float(before), float(before)});
    ranges.push({index, number, number});
}

void Series::Tier::collect(std::vector<SeriesPoint>& out, qint64 beforeMs) const
{
    for (int i = 0; i < ranges.size(); ++i) {
        const Range& range = ranges.at(i);
        const qint64 start = range.index * stepMs;
        if (start >= beforeMs)
            return;
        out.push_back({start, range.smallest});
        if (range.largest > range.smallest && start + stepMs / 2 < beforeMs)
            out.push_back({start + stepMs / 2, range.largest});
    }
}

void Series::append(qint64 tMs, double value, qint64 silenceMs)
{
    if (!std::isfinite(value) || (!isEmpty() && tMs <= lastMs()))
        return;
    breakAfter(silenceMs, tMs);
    const double before = isEmpty() ? value : m_raw.last().value;
    m_raw.push({tMs, value});
    m_seconds.append(tMs, value, before);
    m_minutes.append(tMs, value, before);
    m_readMs = tMs;
}

void Series::absent(qint64 tMs, qint64 silenceMs)
{
    if (isEmpty() || tMs <= m_readMs)
        return;
    breakAfter(silenceMs, tMs);
    pushGap(tMs, nothing);
    m_readMs = tMs;
}

void Series::gap(qint64 tMs)
{
    if (!isEmpty())
        pushGap(tMs, unknown);
}

// After such a silence the last value is known for its own moment and no longer.
void Series::breakAfter(qint64 silenceMs, qint64 tMs)
{
    if (!isEmpty() && tMs - m_readMs > silenceMs && lastMs() < tMs - 1)
        pushGap(std::min(m_readMs + 1, tMs - 1), unknown);
}

void Series::pushGap(qint64 tMs, double value)
{
    const double last = m_raw.last().value;
    if (!std::isnan(last) || isAbsent(last) != isAbsent(value))
        m_raw.push({std::max(tMs, lastMs() + 1), value});
}

std::vector<SeriesPoint> Series::points(qint64 fromMs, qint64 toMs, int maxPoints) const
{
    std::vector<SeriesPoint> all;
    if (isEmpty())
        return all;
    // A coarser tier is asked only for what the finer one has forgotten.
    const qint64 rawStart = m_raw.at(0).tMs;
    if (m_raw.isFull() && fromMs < rawStart) {
        if (m_seconds.ranges.isFull() && fromMs < m_seconds.startMs())
            m_minutes.collect(all, m_seconds.startMs());
        const size_t first = all.size();
        m_seconds.collect(all, rawStart);
        // The minute that straddles the border may reach into the seconds.
        if (first > 0 && first < all.size() && all[first - 1].tMs >= all[first].tMs)
            all.erase(all.begin() + qsizetype(first) - 1);
    }
    for (int i = 0; i < m_raw.size(); ++i)
        all.push_back(m_raw.at(i));

    const auto later = [](qint64 t, const SeriesPoint& p) { return t < p.tMs; };
    const auto beyond = std::upper_bound(all.begin(), all.end(), toMs, later);
    all.erase(beyond == all.end() ? beyond : beyond + 1, all.end());
    const auto first = std::upper_bound(all.begin(), all.end(), fromMs, later);
    if (first != all.begin())
        all.erase(all.begin(), first - 1);
    return thinned(std::move(all), maxPoints);
}

qint64 Series::firstMs() const
{
    if (isEmpty())
        return 0;
    qint64 first = m_raw.at(0).tMs;
    if (m_raw.isFull())
        first = std::min(first, m_seconds.startMs());
    if (m_seconds.ranges.isFull())
        first = std::min(first, m_minutes.startMs());
    return first;
}

qint64 Series::lastMs() const
{
    return isEmpty() ? 0 : m_raw.last().tMs;
}

size_t Series::memory() const
{
    return sizeof(*this) + m_raw.memory() + m_seconds.ranges.memory() + m_minutes.ranges.memory();
}

std::vector<SeriesPoint> thinned(std::vector<SeriesPoint> points, int maxPoints)
{
    constexpr int perStretch = 5;
    if (points.size() <= size_t(std::max(maxPoints, perStretch)))
        return points;
    const qint64 stretches = std::max(1, maxPoints / perStretch);
    const qint64 start = points.front().tMs;
    const qint64 span = points.back().tMs - start + 1;
    std::vector<SeriesPoint> kept;
    kept.reserve(size_t(maxPoints));
    size_t begin = 0;
    while (begin < points.size()) {
        const qint64 stretch = (points[begin].tMs - start) * stretches / span;
        size_t end = begin + 1;
        while (end < points.size() && (points[end].tMs - start) * stretches / span == stretch)
            ++end;
        pushExtremes(kept, points.data() + begin, points.data() + end);
        begin = end;
    }
    return kept;
}

} // namespace lk
