// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <deque>

namespace lk {

/// The distance of a number from its smallest and its largest value within a span of time. Stores
/// 32 parts of that span, whatever the number of samples. A value.
class ChangeWindow
{
public:
    explicit ChangeWindow(qint64 spanMs);

    void add(qint64 tMs, double value);
    void shiftBack(qint64 byMs);       ///< the clock was set back
    double risen(qint64 nowMs) const;  ///< above the least; not below 0
    double fallen(qint64 nowMs) const; ///< below the largest; not above 0
    /// Returns when the oldest part leaves the span, so that risen() and fallen() change; 0 if they
    /// do not.
    qint64 nextChangeMs(qint64 nowMs) const;

private:
    struct Part
    {
        qint64 fromMs = 0;
        double least = 0;
        double largest = 0;
    };
    bool counts(const Part& part, qint64 nowMs) const;

    qint64 m_spanMs;
    qint64 m_partMs;
    double m_last = 0;
    std::deque<Part> m_parts;
};

} // namespace lk
