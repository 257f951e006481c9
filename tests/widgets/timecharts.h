// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chartshots.h"
#include "widgets/charts/time/timechart.h"

#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace lk::test {

inline constexpr qint64 now = 1'700'000'000'000;
inline constexpr qint64 span = 5 * 60'000;

/// Rises and falls between 0 and top as a limiter's occupancy does; unknown for half a minute.
inline std::vector<SeriesPoint> believable(double top, int seed, bool outage)
{
    std::vector<SeriesPoint> points;
    double value = top / 2;
    quint32 random = quint32(seed) * 2654435761u + 1;
    for (qint64 t = now - span - 5000; t <= now - 200; t += 1000) {
        random = random * 1664525u + 1013904223u;
        const double drift = (random >> 16) % 100 / 100.0 - 0.47;
        value = std::clamp(value + drift * top * 0.4, 0.0, top);
        const qint64 age = now - t;
        if (outage && age > 120'000 && age < 155'000)
            points.push_back({t, std::nan("")});
        else
            points.push_back({t, std::floor(value)});
    }
    return points;
}

inline void fillOccupancy(TimeChart& chart)
{
    chart.setTitle(QStringLiteral("Occupancy"), QStringLiteral("requests in the window"),
                   Metric::Unit::Count);
    const int line = chart.addSeries({}, ColorRole::Accent);
    chart.setLimit(5, QStringLiteral("limit 5"));
    chart.setNow(now);
    chart.setPoints(line, believable(5.9, 3, true));
}

inline QPoint plotMiddle(const TimeChart& chart)
{
    return {chart.width() / 2, chart.height() / 2};
}

inline QWidget* plotOf(TimeChart& chart)
{
    QWidget* plot = chart.childAt(plotMiddle(chart));
    return plot;
}

inline void wheel(QWidget& plot, const QPoint& position, int angle, Qt::KeyboardModifiers modifiers)
{
    QWheelEvent wheel(position, plot.mapToGlobal(QPointF(position)), {}, {0, angle}, Qt::NoButton,
                      modifiers, Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&wheel); // only spontaneous events go on to the page
    qApp->notify(&plot, &wheel);               // sendEvent() would clear that flag
}

/// The pointer over the plot, whatever the platform's cursor does.
inline void hover(TimeChart& chart, const QPoint& position)
{
    QWidget* plot = plotOf(chart);
    QMouseEvent move(QEvent::MouseMove, position, plot->mapToGlobal(position), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(plot, &move);
}

} // namespace lk::test
