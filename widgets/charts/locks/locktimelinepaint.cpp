// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chartformat.h"
#include "widgets/charts/chartpaint.h"
#include "widgets/charts/locks/locktimeline.h"
#include "widgets/charts/time/markpaint.h"
#include "widgets/charts/timeaxis.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/themecolors.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace lk {

namespace {

constexpr qreal barRadius = 3;
constexpr int labelPad = 6;

} // namespace

void LockTimeline::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), chartGround(*m_axis, palette()));
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintLanes(painter);
    paintAxis(painter);
    const QRect plot = plotRect();
    painter.save();
    painter.setClipRect(plot);
    paintBars(painter, plot);
    painter.restore();
    paintTimeMarks(
        painter, plot, m_axis->marks(), [this](qint64 t) { return xOf(t); }, palette());
    const std::optional<qint64> cursor = m_axis->cursor();
    if (cursor && *cursor >= fromMs() && *cursor <= toMs())
        painter.fillRect(QRect(qRound(xOf(*cursor)), plot.top(), 1, plot.height()), colors.second);
    const int now = qRound(xOf(m_axis->view().nowMs()));
    if (!m_lanes.isEmpty() && now >= plot.left() && now <= plot.right())
        painter.fillRect(QRect(now - 1, plot.top(), 2, plot.height() + 4), colors.text);
    paintFocusFrame(painter);
}

void LockTimeline::paintLanes(QPainter& painter) const
{
    const ThemeColors& colors = themeColors(palette());
    const QRect plot = plotRect();
    if (m_lanes.isEmpty()) {
        painter.setFont(uiFont(TextSize::Caption));
        painter.setPen(colors.second);
        painter.drawText(plot, Qt::AlignCenter,
                         m_axis->isLoading() ? tr("Loading\u2026") : tr("No owner seen yet"));
        return;
    }
    painter.setFont(monoFont(TextSize::Caption));
    const QFontMetrics metrics(painter.font());
    for (int lane = 0; lane < m_lanes.size(); ++lane) {
        const QRect row(2, laneTop(lane), width() - 4, laneHeight(lane));
        if (hasFocus() && lane == m_current)
            painter.fillRect(row, colors.tint(ColorRole::Accent));
        painter.setPen(QPen(colors.tint(ColorRole::Second), 1));
        painter.drawLine(QPointF(row.left(), row.bottom() + 0.5),
                         QPointF(row.right() + 1, row.bottom() + 0.5));
        if (m_lanes.size() == 1)
            continue; // the pane is named after it
        const QRect name(row.left() + 2, row.top(), plot.left() - row.left() - 10, row.height());
        painter.setPen(colors.text);
        painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(m_lanes[lane], Qt::ElideMiddle, name.width()));
    }
}

// There may be ten thousand bars: those outside the view are left out, and of several in one pixel
// only the first is drawn.
void LockTimeline::paintBars(QPainter& painter, const QRect& plot) const
{
    const double pixelMs = double(m_axis->view().spanMs()) / std::max(1, plot.width());
    std::map<std::pair<int, int>, qint64> filled; // the last such pixel of each lane's rows
    for (size_t i = 0; i < m_intervals.size(); ++i) {
        const HoldInterval& interval = m_intervals[i];
        if (interval.fromMs > toMs() || (!hasOpenEnd(interval) && interval.toMs < fromMs()))
            continue;
        qint64& last = filled.try_emplace({m_laneOf[i], m_rowOf[i]}, -1).first->second;
        const bool narrow =
            !hasOpenEnd(interval) && double(interval.toMs - interval.fromMs) < pixelMs;
        const auto pixel = qint64(double(interval.fromMs - fromMs()) / pixelMs);
        if (narrow && std::exchange(last, pixel) == pixel)
            continue;
        paintBar(painter, i);
    }
}

void LockTimeline::paintBar(QPainter& painter, size_t number) const
{
    const HoldInterval& interval = m_intervals[number];
    const ThemeColors& colors = themeColors(palette());
    const QRectF bar = barRect(number);
    if (hasOpenEnd(interval))
        paintFuture(painter, interval, bar);
    const QColor color = ownerColor(interval.owner, palette());
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    const qreal radius = std::min(barRadius, bar.width() / 3);
    painter.drawRoundedRect(bar, radius, radius);
    if (isFresh(interval)) // it goes on: square where it meets now
        painter.drawRect(QRectF(bar.right() - radius, bar.top(), radius, bar.height()));

    painter.setFont(monoFont(TextSize::Caption));
    const QFontMetrics metrics(painter.font());
    if (bar.height() < metrics.height())
        return;
    const QRectF seen = bar.intersected(plotRect()).adjusted(labelPad, 0, -labelPad, 0);
    const QString owner = interval.owner.isEmpty() ? tr("owner unknown") : interval.owner;
    // Part of a name is of use only if enough of it is left to tell it from others.
    const QString label = metrics.elidedText(owner, Qt::ElideRight, int(seen.width()));
    if (label != owner && label.size() < 7)
        return;
    painter.setPen(colors.surface);
    painter.drawText(seen, Qt::AlignLeft | Qt::AlignVCenter, label);
}

void LockTimeline::paintFuture(QPainter& painter, const HoldInterval& interval,
                               const QRectF& bar) const
{
    const ThemeColors& colors = themeColors(palette());
    const QColor color = ownerColor(interval.owner, palette());
    if (interval.noTtl) {
        if (!isFresh(interval))
            return; // for how long is not known
        const qreal middle = bar.center().y();
        const qreal tip = std::min<qreal>(plotRect().right() - 6, bar.right() + 4000);
        if (tip <= bar.right())
            return;
        painter.setPen(QPen(colors.danger, 1, Qt::DashLine));
        painter.drawLine(QPointF(bar.right(), middle), QPointF(tip, middle));
        painter.setPen(QPen(colors.danger, 1.5));
        painter.drawPolyline(QPolygonF(
            {QPointF(tip - 6, middle - 5), QPointF(tip, middle), QPointF(tip - 6, middle + 5)}));
        painter.setFont(uiFont(TextSize::Caption));
        paintPlate(painter,
                   QRectF(QPointF(bar.right() + 6, bar.top()), QPointF(tip - 10, bar.bottom())),
                   tr("no TTL"), colors.danger, colors.surface);
        return;
    }
    if (!interval.leaseEndMs || *interval.leaseEndMs <= endOf(interval))
        return;
    const QRectF left(bar.topRight(), QPointF(xOf(*interval.leaseEndMs), bar.bottom()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(QBrush(color, Qt::BDiagPattern));
    painter.drawRect(left);
    painter.setPen(QPen(color, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(left.adjusted(-barRadius, 0.5, -0.5, -0.5), barRadius, barRadius);
}

void LockTimeline::paintAxis(QPainter& painter) const
{
    constexpr int columnWidth = 84;
    const ThemeColors& colors = themeColors(palette());
    const QRect plot = plotRect();
    painter.setFont(uiFont(TextSize::Caption));
    const QFontMetrics metrics(painter.font());
    const int base = plot.bottom() + 1;
    painter.setPen(QPen(colors.border, 1));
    painter.drawLine(QPointF(plot.left(), base + 0.5), QPointF(plot.right() + 1, base + 0.5));
    for (const TimeTick& tick :
         timeTicks(m_axis->view(), TimeLabels::Clock, plot.width() / columnWidth)) {
        const qreal x = std::floor(xOf(tick.tMs)) + 0.5;
        painter.setPen(QPen(colors.tint(ColorRole::Second), 1));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, base));
        painter.setPen(QPen(colors.border, 1));
        painter.drawLine(QPointF(x, base), QPointF(x, base + 4));
        QRectF place(x - columnWidth / 2.0, base + 6, columnWidth, metrics.height());
        painter.setPen(colors.second);
        const TimeView& view = m_axis->view();
        if (!besideNow(x, xOf(view.nowMs()), tick.label, view) &&
            place.left() >= plot.left() - columnWidth / 2.0 && place.right() <= width())
            painter.drawText(place, Qt::AlignCenter, tick.label);
    }
    const qreal now = xOf(m_axis->view().nowMs());
    if (now < plot.left() || now > plot.right())
        return;
    painter.setPen(colors.text);
    painter.drawText(QRectF(now - columnWidth / 2.0, base + 6, columnWidth, metrics.height()),
                     Qt::AlignCenter, nowLabel(m_axis->view()));
}

} // namespace lk
