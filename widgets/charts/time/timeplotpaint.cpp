// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/time/timeplot.h"

#include "widgets/charts/chartformat.h"
#include "widgets/charts/chartpaint.h"
#include "widgets/charts/time/markpaint.h"
#include "widgets/charts/timeaxis.h"
#include "widgets/theme/theme.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr qreal lonePoint = 2; // radius
constexpr int mostMarkTexts = 4;

} // namespace

void TimePlot::paintGround(QPainter& painter, const QRect& area) const
{
    const ThemeColors& colors = themeColors(palette());
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintAfter(painter, area);
    // A ground under a single stepped line, of plain rectangles: a filled outline under thousands
    // of points would cost more than all the rest.
    if (m_drawn.size() == 1 && m_data.lines.front().stepped) {
        const std::vector<SeriesPoint>& points = m_drawn.front();
        const QColor tint = colors.tint(m_data.lines.front().color);
        for (size_t i = 0; i + 1 < points.size(); ++i) {
            const SeriesPoint& point = points[i];
            const int left = qRound(xOf(point.tMs));
            const int right = qRound(xOf(points[i + 1].tMs));
            if (std::isnan(point.value) || right < area.left() || left > area.right())
                continue;
            const int top = qRound(yOf(point.value));
            painter.fillRect(left, top, right - left, area.bottom() - top, tint);
        }
    }
    paintGaps(painter, area);
}

// The time after the shown moment is not tinted as past.
void TimePlot::paintAfter(QPainter& painter, const QRect& area) const
{
    if (!view().isPast())
        return;
    const qreal x = std::max<qreal>(xOf(view().nowMs()), area.left());
    if (x < area.right())
        painter.fillRect(QRectF(QPointF(x, area.top()), QPointF(area.right() + 1, area.bottom())),
                         themeColors(palette()).surface);
}

void TimePlot::paintGaps(QPainter& painter, const QRect& area) const
{
    const ThemeColors& colors = themeColors(palette());
    painter.setFont(uiFont(TextSize::Caption));
    for (const ChartData::Stretch& gap : m_data.gaps(lineEndMs())) {
        const QRectF band =
            QRectF(QPointF(xOf(gap.fromMs), area.top()), QPointF(xOf(gap.toMs), area.bottom()))
                .intersected(area);
        if (band.width() < 1)
            continue;
        const bool still = !view().following() || !m_axis->isReading();
        painter.fillRect(band, QBrush(still ? colors.second : colors.border, Qt::BDiagPattern));
        paintPlate(painter, band, tr("no data"), colors.second, chartGround(*m_axis, palette()));
    }
    const QString absent = m_data.lines.empty() ? QString() : m_data.lines.front().absent;
    if (absent.isEmpty())
        return;
    for (const ChartData::Stretch& none : m_data.absences(lineEndMs())) {
        const QRectF band =
            QRectF(QPointF(xOf(none.fromMs), area.top()), QPointF(xOf(none.toMs), area.bottom()))
                .intersected(area);
        paintPlate(painter, band, absent, colors.second, chartGround(*m_axis, palette()));
    }
}

void TimePlot::paintMarks(QPainter& painter, const QRect& area) const
{
    if (area.isEmpty())
        return;
    const ThemeColors& colors = themeColors(palette());
    painter.setFont(uiFont(TextSize::Caption));
    if (m_data.isEmpty()) {
        paintPlate(painter, area, m_axis->isLoading() ? tr("Loading\u2026") : tr("No samples yet"),
                   colors.second, chartGround(*m_axis, palette()));
    }
    if (m_data.limit) {
        const qreal y = std::floor(yOf(*m_data.limit)) + 0.5;
        painter.setRenderHint(QPainter::Antialiasing, false);
        QPen pen(colors.danger, 1);
        pen.setDashPattern({5, 4});
        painter.setPen(pen);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    paintTimeMarks(
        painter, area, m_axis->marks(), [this](qint64 t) { return xOf(t); }, palette());
    paintBeforeLabel(painter, area);
    paintNow(painter, area);
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintLonePoints(painter, area);
    paintEndLabels(painter, area);
}

// Labels the faint lines, or says that there are none.
void TimePlot::paintBeforeLabel(QPainter& painter, const QRect& area) const
{
    if (m_data.beforeLabel.isEmpty() || m_data.isEmpty())
        return;
    const bool any = std::ranges::any_of(m_data.lines, [](const ChartData::Line& line) {
        return std::ranges::any_of(line.before,
                                   [](const SeriesPoint& p) { return !std::isnan(p.value); });
    });
    const QString text =
        any ? tr("faint: %1").arg(m_data.beforeLabel) : tr("%1: no data").arg(m_data.beforeLabel);
    const QFontMetrics metrics(painter.font());
    const QRectF band(area.left() + 8, area.top() + 2, metrics.horizontalAdvance(text) + 12,
                      metrics.height() + 4);
    paintPlate(painter, band, text, themeColors(palette()).second, chartGround(*m_axis, palette()));
}

void TimePlot::paintNow(QPainter& painter, const QRect& area) const
{
    const qint64 nowMs = view().nowMs();
    if (nowMs < view().fromMs() || nowMs > view().toMs())
        return;
    const ThemeColors& colors = themeColors(palette());
    const QFontMetrics metrics(painter.font());
    const qreal place = xOf(nowMs);
    if (!(place >= area.left() - 1 && place <= area.right() + 2)) // before it is laid out: anything
        return;
    const int x = qRound(place);
    if (x < area.right() - 1) // beyond it lies the future
        painter.fillRect(QRect(x, area.top(), 1, area.height() + 3), colors.second);
    painter.setPen(colors.text);
    painter.drawText(QRect(x - 60, area.bottom() + 6, 120, metrics.height()), Qt::AlignCenter,
                     nowLabel(view()));
}

// A point between two gaps has no line to be seen by.
void TimePlot::paintLonePoints(QPainter& painter, const QRect& area) const
{
    const ThemeColors& colors = themeColors(palette());
    painter.setPen(Qt::NoPen);
    for (size_t line = 0; line < m_drawn.size(); ++line) {
        const std::vector<SeriesPoint>& points = m_drawn[line];
        painter.setBrush(colors.of(m_data.lines[line].color));
        for (size_t i = 0; i < points.size(); ++i) {
            const bool before = i > 0 && !std::isnan(points[i - 1].value);
            const bool after = i + 1 < points.size() && !std::isnan(points[i + 1].value);
            const QPointF place(xOf(points[i].tMs), yOf(points[i].value));
            if (!before && !after && !std::isnan(points[i].value) && place.x() >= area.left() &&
                place.x() <= area.right() + 1)
                painter.drawEllipse(place, lonePoint, lonePoint);
        }
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
    qreal lowest = area.bottom() + 3 - metrics.height() / 2.0; // "now" stands below
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
                         metrics.elidedText(labels[i].name, Qt::ElideRight,
                                            width - metrics.horizontalAdvance(labels[i].text)) +
                             labels[i].text);
    }
}

QString TimePlot::valuesAt(qint64 tMs) const
{
    QStringList lines{clockText(tMs, view().nowMs()) + QStringLiteral("  \u00b7  ") +
                      relativeText(tMs, view().nowMs())};
    for (const ChartData::Line& line : m_data.lines) {
        const QString value = m_data.textAt(line, tMs, view().nowMs());
        QString text = line.label.isEmpty() ? value : line.label + QLatin1Char(' ') + value;
        if (!line.before.empty())
            text += tr(" (%1: %2)")
                        .arg(m_data.beforeLabel, m_data.textOf(line, valueAt(line.before, tMs)));
        lines.append(text);
    }
    lines += marksAt(tMs);
    return lines.join(QLatin1Char('\n'));
}

// Returns the events at the pointer.
QStringList TimePlot::marksAt(qint64 tMs) const
{
    const qint64 reachMs = view().spanMs() * reachOfMark / std::max(1, plotWidth());
    QStringList texts;
    for (const TimeMark& mark : m_axis->marks()) {
        if (isFlag(mark) && std::abs(mark.tMs - tMs) <= reachMs && texts.size() < mostMarkTexts)
            texts << shortMarkText(mark);
    }
    return texts;
}

void TimePlot::paintCrosshair(QPainter& painter, const QRect& area) const
{
    const std::optional<qint64> cursor = m_axis->cursor();
    if (!cursor || m_data.isEmpty() || *cursor < view().fromMs())
        return;
    const ThemeColors& colors = themeColors(palette());
    const qint64 tMs = *cursor;
    if (tMs > std::min(view().knownToMs(), view().toMs()))
        return;
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(colors.second, 1));
    const qreal x = m_hover ? m_hover->x() + 0.5 : std::floor(xOf(tMs)) + 0.5;
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    for (const ChartData::Line& line : m_data.lines) {
        const double value = m_data.valueOf(line, tMs, view().nowMs());
        if (std::isnan(value))
            continue;
        painter.setPen(QPen(colors.surface, 1.5));
        painter.setBrush(colors.of(line.color));
        painter.drawEllipse(QPointF(x, yOf(value)), 3.5, 3.5);
    }
    if (!m_hover)
        return; // the values stand where the pointer is
    std::vector<QColor> keys;
    for (const ChartData::Line& line : m_data.lines)
        keys.push_back(colors.of(line.color));
    paintValueBox(painter, area, m_hover->x(), valuesAt(tMs).split(QLatin1Char('\n')), keys,
                  palette());
}

} // namespace lk
