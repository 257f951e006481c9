// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/series.h"
#include "backend/text/columns/column.h"
#include "widgets/theme/themecolors.h"

#include <optional>
#include <vector>

namespace lk {

/// The contents of a TimeChart, and the values that can be read from it. Pure.
struct ChartData
{
    /// One line of the chart; its points in the unit of the chart, at server time.
    struct Line
    {
        QString label;
        ColorRole color = ColorRole::Accent;
        bool stepped = true;
        std::vector<SeriesPoint> points;      ///< ascending; NaN: a gap from there on
        std::vector<SeriesPoint> before = {}; ///< the comparison, moved to the present
        QString absent = {};                  ///< the text where there is nothing to measure
    };
    /// From one moment of server time to another, in milliseconds.
    struct Stretch
    {
        qint64 fromMs = 0;
        qint64 toMs = 0;
    };

    QString title;
    QString unitInWords;
    Metric::Unit unit = Metric::Unit::Count;
    std::vector<Line> lines;
    std::optional<double> limit;
    QString limitLabel;
    QString beforeLabel;        ///< "a day before"; empty: nothing is compared with
    qint64 staleAfterMs = 2000; ///< a line reaches now only if its last point is as recent

    bool isEmpty() const;
    qint64 firstMs() const; ///< the first point of all lines; 0 if there is none
    /// A line's points and how it ends: at now if it is fresh, else in a gap behind its last point.
    std::vector<SeriesPoint> ended(const Line& line, qint64 nowMs) const;
    /// Returns the spans in which the first line was not read. An open gap ends at nowMs.
    std::vector<Stretch> gaps(qint64 nowMs) const;
    /// Where it was read that the first line has nothing to measure.
    std::vector<Stretch> absences(qint64 nowMs) const;
    /// The largest value that shows between the two moments, and the limit.
    double largest(qint64 fromMs, qint64 toMs) const;
    /// "12", "no data", "no TTL": of a line at a moment.
    QString textAt(const Line& line, qint64 tMs, qint64 nowMs) const;
    /// The same of a value.
    QString textOf(const Line& line, double value) const;
    /// The value that holds then, as far as anything is known until nowMs. NaN if it is not.
    double valueOf(const Line& line, qint64 tMs, qint64 nowMs) const;
    /// One row for each moment at which some line has a point.
    QString csv() const;

private:
    std::vector<Stretch> stretches(qint64 nowMs, bool absent) const;
};

/// The value that holds at a moment: that of the last point at or before it. NaN if unknown.
double valueAt(const std::vector<SeriesPoint>& points, qint64 tMs);

} // namespace lk
