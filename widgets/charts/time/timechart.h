// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/series.h"
#include "backend/text/columns/column.h"
#include "widgets/charts/chartwidget.h"
#include "widgets/charts/timeview.h"
#include "widgets/theme/themecolors.h"

#include <memory>

namespace lk {

class ChartHeader;
struct ChartData;
class RedrawGate;
class TimePlot;

/// Numbers over time: their names in words above, now at the right edge.
///
/// Drag pans and Ctrl+wheel zooms, which ends following now and is shown. Double click, End or the
/// button return to it. Keys: see TimeAxis. The chart draws the points that it was given; on
/// rangeChanged() give it those of the new span.
class TimeChart final : public ChartWidget
{
    Q_OBJECT
public:
    enum class Shape : quint8 { Line, Step };

    explicit TimeChart(QWidget* parent = nullptr);
    ~TimeChart() override;

    /// "Occupancy", "permits in use"; the unit decides how numbers are written.
    void setTitle(const QString& title, const QString& unitInWords, Metric::Unit unit);
    /// Makes the chart show the axis' span, with all charts that share it. Not owned; outlives
    /// this.
    void setAxis(TimeAxis* axis);
    /// Returns the series' index. The label stands at the line's right end where there are several.
    int addSeries(const QString& label, ColorRole color, Shape shape = Shape::Step);
    /// Sets the text for spans with nothing to measure: "no TTL".
    void setAbsentText(int series, const QString& text);
    /// A line whose last point is older ends there. 2 s by default.
    void setStaleAfter(qint64 ms);
    /// A dashed line with its label: "limit 5". Empty: none.
    void setLimit(std::optional<double> value, const QString& label = {});

    void setPoints(int series, std::vector<SeriesPoint> points);
    /// Sets the comparison, moved to the times that it is compared with. Drawn as a faint second
    /// line.
    void setBefore(int series, std::vector<SeriesPoint> points);
    void setNow(qint64 serverNowMs);

    void setSpan(qint64 spanMs);
    void setTimeLabels(TimeLabels labels);
    void follow();
    bool following() const;
    qint64 fromMs() const;
    qint64 toMs() const;
    qint64 spanMs() const;
    /// As many points as make sense for the present width.
    int wantedPoints() const;

    /// Returns the text of the crosshair's box for a moment, one line per series.
    QString valuesAt(qint64 tMs) const;
    QString csv() const override; ///< UTC and local time, a column per series; empty: a gap

    QSize sizeHint() const override { return {480, 190}; }
    QSize minimumSizeHint() const override { return {200, 120}; }

signals:
    void rangeChanged(qint64 fromMs, qint64 toMs, bool following);

protected:
    void paintEvent(QPaintEvent* event) override;
    Shown shown() const override;
    QString chartTitle() const override;
    TimeAxis* timeAxis() const override { return m_axis; }
    QImage draw() override;

private:
    void moved();
    void onCompare();
    void redraw();
    QString description() const;

    const std::unique_ptr<ChartData> m_data;
    TimeAxis* m_axis; ///< its own until it is given one
    ChartHeader* m_header = nullptr;
    TimePlot* m_plot = nullptr;
    RedrawGate* m_gate = nullptr;
};

} // namespace lk
