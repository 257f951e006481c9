// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/column.h"
#include "backend/history/series.h"
#include "widgets/charts/timeview.h"
#include "widgets/theme/themecolors.h"

#include <QWidget>

#include <memory>

class QIODevice;

namespace lk {

class ChartHeader;
struct ChartData;
class RedrawGate;
class TimePlot;

/// Numbers over time: what they are called in words above, now at the right edge.
///
/// Drag pans and the wheel zooms, which ends following now; double click, End or the button
/// return to it. Keys: left and right pan, + and - zoom, Home goes to the first point.
/// It draws the points it was given; on rangeChanged() give it those of the new stretch.
class TimeChart final : public QWidget
{
    Q_OBJECT
public:
    enum class Shape : quint8 { Line, Step };

    explicit TimeChart(QWidget* parent = nullptr);
    ~TimeChart() override;

    /// "Occupancy", "permits in use"; the unit decides how numbers are written.
    void setTitle(const QString& title, const QString& unitInWords, Metric::Unit unit);
    /// Returns the series' index. The label stands at the line's right end where there are several.
    int addSeries(const QString& label, ColorRole color, Shape shape = Shape::Step);
    void clearSeries();
    /// A dashed line with its label: "limit 5". Empty: none.
    void setLimit(std::optional<double> value, const QString& label = {});

    void setPoints(int series, std::vector<SeriesPoint> points);
    void setNow(qint64 serverNowMs);
    /// A small flag on the time axis for what an operator did; the text shows under the pointer.
    void addFlag(qint64 tMs, const QString& text);
    void clearFlags();

    void setSpan(qint64 spanMs);
    void setTimeLabels(TimeLabels labels);
    void follow();
    bool following() const;
    qint64 fromMs() const;
    qint64 toMs() const;
    qint64 spanMs() const;
    /// As many points as make sense for the present width.
    int wantedPoints() const;

    /// What the crosshair's box says for a moment, one line per series.
    QString valuesAt(qint64 tMs) const;
    QString csv() const; ///< UTC and local time, one column per series; an empty cell is a gap
    bool writePng(QIODevice* device); ///< at twice the size in pixels

    QSize sizeHint() const override { return {480, 190}; }
    QSize minimumSizeHint() const override { return {200, 120}; }

signals:
    void rangeChanged(qint64 fromMs, qint64 toMs, bool following);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void moved();
    void redraw();
    QString description() const;
    QImage picture();

    const std::unique_ptr<ChartData> m_data;
    TimeView m_view;
    ChartHeader* m_header = nullptr;
    TimePlot* m_plot = nullptr;
    RedrawGate* m_gate = nullptr;
};

} // namespace lk
