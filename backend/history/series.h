// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <cmath>
#include <limits>
#include <vector>

namespace lk {

/// A number at a moment of server time (milliseconds since 1970). NaN: there is no value from here
/// until the next point; isAbsent() returns the reason.
struct SeriesPoint
{
    qint64 tMs = 0;
    double value = 0;
};

/// Returns true for the NaN that means that there is nothing to measure, such as for a free lock.
/// Any other NaN means that nothing was read.
inline bool isAbsent(double value)
{
    return std::isnan(value) && std::signbit(value);
}

/// The last value is assumed to hold however long nothing was read.
inline constexpr qint64 anySilence = std::numeric_limits<qint64>::max();

/// One metric of one primitive over time, in bounded memory: the last 512 samples, then
/// one range a second for a quarter of an hour, then one a minute for a day. Old peaks stay
/// visible because a range keeps its smallest and largest value.
class Series
{
public:
    /// Ignores a sample that is not newer than the last one or not finite. If the last read was
    /// more than silenceMs ago, adds a gap in between.
    void append(qint64 tMs, double value, qint64 silenceMs = anySilence);
    /// Records that there is nothing to measure.
    void absent(qint64 tMs, qint64 silenceMs = anySilence);
    /// Records that nothing is known from here on: an outage, a pause, or a failed read.
    void gap(qint64 tMs);

    /// The points from the last one at or before fromMs to the first one after toMs, oldest
    /// first, from the finest tier that still has them; at most maxPoints, keeping extremes and
    /// gaps.
    std::vector<SeriesPoint> points(qint64 fromMs, qint64 toMs, int maxPoints) const;

    bool isEmpty() const { return m_raw.isEmpty(); }
    qint64 firstMs() const; ///< 0 if empty
    qint64 lastMs() const;  ///< 0 if empty
    size_t memory() const;  ///< bytes, this object included

private:
    /// Forgets its oldest element when full; grows on demand up to its capacity.
    template<typename T> class Ring
    {
    public:
        explicit Ring(int capacity)
            : m_capacity(size_t(capacity))
        {}
        bool isEmpty() const { return m_items.empty(); }
        bool isFull() const { return m_items.size() == m_capacity; }
        int size() const { return int(m_items.size()); }
        const T& at(int i) const { return m_items[index(i)]; }
        T& last() { return m_items[index(size() - 1)]; }
        const T& last() const { return at(size() - 1); }
        void push(const T& item);
        size_t memory() const { return m_items.capacity() * sizeof(T); }

    private:
        size_t index(int i) const { return (m_head + size_t(i)) % m_items.size(); }
        size_t m_capacity;
        size_t m_head = 0; ///< index of the oldest; stays 0 until the ring is full
        std::vector<T> m_items;
    };

    /// The samples of one second or minute. All NaN: a gap that outlasted the previous range.
    struct Range
    {
        quint32 index = 0; ///< time divided by the tier's step
        float smallest = 0;
        float largest = 0;
    };

    struct Tier
    {
        qint64 stepMs;
        Ring<Range> ranges;
        /// before: the previous sample, NaN after a gap.
        void append(qint64 tMs, double value, double before);
        void collect(std::vector<SeriesPoint>& out, qint64 beforeMs) const;
        qint64 startMs() const { return ranges.at(0).index * stepMs; }
    };

    void breakAfter(qint64 silenceMs, qint64 tMs);
    void pushGap(qint64 tMs, double value);

    qint64 m_readMs = 0;          ///< the time of the last append() or absent()
    Ring<SeriesPoint> m_raw{512}; // two minutes at four samples a second
    Tier m_seconds{1000, Ring<Range>(15 * 60)};
    Tier m_minutes{60'000, Ring<Range>(24 * 60)};
};

/// Returns at most maxPoints of these, keeping the first, last, smallest and largest of each span
/// and every gap that is wide enough to be seen.
std::vector<SeriesPoint> thinned(std::vector<SeriesPoint> points, int maxPoints);

} // namespace lk
