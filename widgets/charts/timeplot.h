// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/chartdata.h"
#include "widgets/charts/timeview.h"

#include <QWidget>

#include <optional>

class QCPLayer;
class QCustomPlot;

namespace lk {

/// The plot inside a TimeChart: turns its data and view into a QCustomPlot, and the mouse into
/// changes of the view. Both belong to the chart and outlive it.
class TimePlot final : public QWidget
{
    Q_OBJECT
public:
    TimePlot(const ChartData& shown, TimeView& view, QWidget* parent);

    void setTimeLabels(TimeLabels labels) { m_labels = labels; }
    void refresh(); ///< asks for a replot; cheap to ask twice
    /// Draws at once for that many device pixels to a pixel. The plot's own way of exporting scales
    /// its pens, and a pen wider than 1 is slow.
    void setResolution(double pixelRatio);
    int plotWidth() const;
    /// "14:03:20 · 12 s ago", then a line for each series.
    QString valuesAt(qint64 tMs) const;

signals:
    void moved(); ///< the view was changed by hand
    void followWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct EndLabel
    {
        QString text;
        QColor color;
        double value;
    };

    void restyle();
    void prepare();
    void prepareMargins();
    void prepareLines();
    void setHover(std::optional<QPoint> position);
    bool dragged(QEvent* event);
    std::vector<EndLabel> endLabels() const;
    qreal xOf(qint64 tMs) const;
    qreal yOf(double value) const;
    qint64 timeAt(int x) const;

    void paintGround(QPainter& painter, const QRect& area) const;
    void paintGaps(QPainter& painter, const QRect& area) const;
    void paintMarks(QPainter& painter, const QRect& area) const;
    void paintFlags(QPainter& painter, const QRect& area) const;
    void paintEndLabels(QPainter& painter, const QRect& area) const;
    void paintCrosshair(QPainter& painter, const QRect& area) const;

    const ChartData& m_data;
    TimeView& m_view;
    TimeLabels m_labels = TimeLabels::Clock;
    QCustomPlot* m_plot;
    QCPLayer* m_crosshair = nullptr;
    std::optional<QPoint> m_hover;
    std::optional<int> m_dragX;
};

} // namespace lk
