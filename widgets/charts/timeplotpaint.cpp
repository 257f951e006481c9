// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/timeplot.h"

#include "widgets/charts/chartformat.h"
#include "widgets/charts/chartpaint.h"
#include "widgets/theme/theme.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr int flagReach = 6; // pixels to either side within which the pointer is on a flag

} // namespace

void TimePlot::paintGround(QPainter& painter, const QRect& area) const
{
    const ThemeColors& colors = themeColors(palette());
    painter.setRenderHint(QPainter::Antialiasing, false);
    // A ground under a single stepped line, of plain rectangles: a filled outline under thousands
    // of points would cost more than all the rest.
    if (m_data.lines.size() == 1 && m_data.lines.front().stepped) {
        const ChartData::Line& line = m_data.lines.front();
        const QColor tint = colors.tint(line.color);
        for (size_t i = 0; i < line.points.size(); ++i) {
            const SeriesPoint& point = line.points[i];
            const bool last = i + 1 == line.points.size();
            const int left = qRound(xOf(point.tMs));
            const int right = qRound(xOf(last ? m_view.nowMs() : line.points[i + 1].tMs));
            if (std::isnan(point.value) || right < area.left() || left > area.right())
                continue;
            const int top = qRound(yOf(point.value));
            painter.fillRect(left, top, right - left, area.bottom() - top, tint);
        }
    }
    paintGaps(painter, area);
}

void TimePlot::paintGaps(QPainter& painter, const QRect& area) const
{
    const ThemeColors& colors = themeColors(palette());
    painter.setFont(uiFont(TextSize::Caption));
    for (const ChartData::Stretch& gap : m_data.gaps(m_view.nowMs())) {
        const QRectF band =
            QRectF(QPointF(xOf(gap.fromMs), area.top()), QPointF(xOf(gap.toMs), area.bottom()))
                .intersected(area);
        if (band.width() < 1)
            continue;
        painter.fillRect(band, QBrush(colors.border, Qt::BDiagPattern));
        paintPlate(painter, band, tr("no data"), colors.second, colors.surface);
    }
}

void TimePlot::paintMarks(QPainter& painter, const QRect& area) const
{
    const ThemeColors& colors = themeColors(palette());
    painter.setFont(uiFont(TextSize::Caption));
    if (m_data.isEmpty()) {
        paintPlate(painter, area, tr("No samples yet"), colors.second, colors.surface);
    }
    if (m_data.limit) {
        const qreal y = std::floor(yOf(*m_data.limit)) + 0.5;
        painter.setRenderHint(QPainter::Antialiasing, false);
        QPen pen(colors.danger, 1);
        pen.setDashPattern({5, 4});
        painter.setPen(pen);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    if (m_view.following()) {
        const QFontMetrics metrics(painter.font());
        painter.setPen(colors.text);
        painter.drawText(QRect(area.right() - 40, area.bottom() + 6, 80, metrics.height()),
                         Qt::AlignCenter, tr("now"));
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintFlags(painter, area);
    paintEndLabels(painter, area);
}

void TimePlot::paintFlags(QPainter& painter, const QRect& area) const
{
    const ThemeColors& colors = themeColors(palette());
    for (const ChartData::Flag& flag : m_data.flags) {
        const qreal x = std::floor(xOf(flag.tMs)) + 0.5;
        if (x < area.left() || x > area.right())
            continue;
        const qreal foot = area.bottom() + 1;
        painter.setPen(QPen(colors.violet, 1));
        painter.drawLine(QPointF(x, foot), QPointF(x, foot - 18));
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.violet);
        painter.drawPolygon(
            QPolygonF({QPointF(x, foot - 18), QPointF(x + 9, foot - 14.5), QPointF(x, foot - 11)}));
    }
}

void TimePlot::paintEndLabels(QPainter& painter, const QRect& area) const
{
    std::vector<EndLabel> labels = endLabels();
    if (labels.empty())
        return;
    painter.setFont(uiFont(TextSize::Caption));
    const QFontMetrics metrics(painter.font());
    std::ranges::sort(labels, std::greater(), &EndLabel::value);
    // Each at its line's height, pushed apart where they would overlap: down first, then back up
    // from the bottom.
    std::vector<qreal> middles;
    for (const EndLabel& label : labels) {
        const qreal wanted = yOf(label.value);
        middles.push_back(middles.empty() ? wanted
                                          : std::max(wanted, middles.back() + metrics.height()));
    }
    qreal lowest = area.bottom() + metrics.height() / 3.0;
    for (size_t i = middles.size(); i-- > 0;) {
        middles[i] = std::min(middles[i], lowest);
        lowest = middles[i] - metrics.height();
    }
    const int left = area.right() + 6;
    const int width = m_plot->width() - left;
    for (size_t i = 0; i < labels.size(); ++i) {
        painter.setPen(labels[i].color);
        painter.drawText(QRectF(left, middles[i] - metrics.height() / 2.0, width, metrics.height()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(labels[i].text, Qt::ElideRight, width));
    }
}

QString TimePlot::valuesAt(qint64 tMs) const
{
    QStringList lines{clockText(tMs, m_view.nowMs()) + QStringLiteral("  \u00b7  ") +
                      relativeText(tMs, m_view.nowMs())};
    for (const ChartData::Line& line : m_data.lines) {
        const QString value = valueText(valueAt(line.points, tMs), m_data.unit);
        lines.append(line.label.isEmpty() ? value : line.label + QLatin1Char(' ') + value);
    }
    const double msPerPixel = double(m_view.spanMs()) / plotWidth();
    for (const ChartData::Flag& flag : m_data.flags) {
        if (double(std::abs(flag.tMs - tMs)) <= flagReach * msPerPixel)
            lines.append(flag.text);
    }
    return lines.join(QLatin1Char('\n'));
}

void TimePlot::paintCrosshair(QPainter& painter, const QRect& area) const
{
    if (!m_hover || m_data.isEmpty())
        return;
    const ThemeColors& colors = themeColors(palette());
    const qint64 tMs = timeAt(m_hover->x());
    if (tMs > m_view.nowMs())
        return;
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(colors.second, 1));
    const qreal x = m_hover->x() + 0.5;
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    for (const ChartData::Line& line : m_data.lines) {
        const double value = valueAt(line.points, tMs);
        if (std::isnan(value))
            continue;
        painter.setPen(QPen(colors.surface, 1.5));
        painter.setBrush(colors.of(line.color));
        painter.drawEllipse(QPointF(x, yOf(value)), 3.5, 3.5);
    }
    std::vector<QColor> keys;
    for (const ChartData::Line& line : m_data.lines)
        keys.push_back(colors.of(line.color));
    paintValueBox(painter, area, m_hover->x(), valuesAt(tMs).split(QLatin1Char('\n')), keys,
                  palette());
}

} // namespace lk
