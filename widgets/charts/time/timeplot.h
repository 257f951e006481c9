// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/chartdata.h"
#include "widgets/charts/timeview.h"

#include <QWidget>

#include <optional>

class QCPLayer;
class QCustomPlot;

namespace lk {

class TimeAxis;

/// The plot inside a TimeChart: turns its data and axis into a QCustomPlot, and the mouse into
/// changes of the axis. Both belong to others and outlive it.
class TimePlot final : public QWidget
{
    Q_OBJECT
public:
    TimePlot(const ChartData& shown, QWidget* parent);

    void setAxis(TimeAxis* axis); ///< before it is first seen
    void setTimeLabels(TimeLabels labels) { m_labels = labels; }
    void refresh(); ///< asks for a replot; cheap to ask twice
    /// Draws at once for that many device pixels to a pixel. The plot's own way of exporting scales
    /// its pens, and a pen wider than 1 is slow.
    void setResolution(double pixelRatio);
    int plotWidth() const;
    /// "14:03:20 · 12 s ago", then a line for each series.
    QString valuesAt(qint64 tMs) const;

signals:
    void followWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Beside the right edge, for the value there. Only the name gives way where room is short.
    struct EndLabel
    {
        QString name;
        QString text;
        QColor color;
        double value;
    };

    void restyle();
    void prepare();
    void prepareMargins();
    void prepareTimes();
    void prepareLines();
    const TimeView& view() const;
    qint64 endMs() const;     ///< the end of the shown span, at most now
    qint64 lineEndMs() const; ///< the moment up to which a line may go on
    void setHover(std::optional<QPoint> position);
    bool dragged(QEvent* event);
    std::vector<EndLabel> endLabels() const;
    QStringList marksAt(qint64 tMs) const;
    qreal xOf(qint64 tMs) const;
    qreal yOf(double value) const;
    qint64 timeAt(int x) const;

    void paintGround(QPainter& painter, const QRect& area) const;
    void paintGaps(QPainter& painter, const QRect& area) const;
    void paintMarks(QPainter& painter, const QRect& area) const;
    void paintNow(QPainter& painter, const QRect& area) const;
    void paintAfter(QPainter& painter, const QRect& area) const;
    void paintBeforeLabel(QPainter& painter, const QRect& area) const;
    void paintLonePoints(QPainter& painter, const QRect& area) const;
    void paintEndLabels(QPainter& painter, const QRect& area) const;
    void paintCrosshair(QPainter& painter, const QRect& area) const;

    const ChartData& m_data;
    TimeAxis* m_axis = nullptr;
    TimeLabels m_labels = TimeLabels::Clock;
    QCustomPlot* m_plot;
    QCPLayer* m_crosshair = nullptr;
    std::optional<QPoint> m_hover;
    std::optional<int> m_dragX;
    std::optional<int> m_pressX;                   ///< where a click would be one
    std::vector<std::vector<SeriesPoint>> m_drawn; ///< each line's points, as they end
    int m_preparedWidth = 0;                       ///< that the labels of time were made for
};

} // namespace lk
