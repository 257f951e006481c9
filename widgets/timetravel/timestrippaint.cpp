// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chartformat.h"
#include "widgets/charts/chartpaint.h"
#include "widgets/charts/time/markpaint.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/themecolors.h"
#include "widgets/timetravel/timestrip.h"

#include <QPainter>

#include <algorithm>

namespace lk {

namespace {

constexpr int columnWidth = 96; // between two labels of time
constexpr int handleWidth = 10;

} // namespace

void TimeStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintTrack(painter);
    paintTimes(painter);
    painter.save();
    painter.setClipRect(track().adjusted(-reachOfMark, -4, reachOfMark, 4));
    paintMarks(painter);
    painter.restore();
    paintHandle(painter);
    if (hasFocus())
        paintFocus(painter, rect(), palette());
}

// The recorded span is solid; before it there is nothing.
void TimeStrip::paintTrack(QPainter& painter) const
{
    const ThemeColors& colors = themeColors(palette());
    const QRect plot = track();
    const qreal first = std::clamp<qreal>(xOf(m_firstMs), plot.left(), plot.right() + 1);
    const qreal now = std::clamp<qreal>(xOf(m_view.nowMs()), plot.left(), plot.right() + 1);
    const QRectF recorded(first, plot.top(), now - first, plot.height());
    painter.fillRect(plot, colors.ground);
    painter.fillRect(recorded, m_momentMs ? colors.tint(ColorRole::Violet) : colors.surface);
    if (m_momentMs) { // what was not yet
        const qreal at = std::clamp(xOf(*m_momentMs), recorded.left(), recorded.right());
        painter.fillRect(QRectF(at, plot.top(), recorded.right() - at, plot.height()),
                         colors.surface);
    }
    for (const TimeMark& mark : m_marks) {
        if (mark.sort != TimeMark::Sort::Gap)
            continue;
        const QRectF band =
            QRectF(QPointF(xOf(mark.tMs), plot.top()),
                   QPointF(std::max(xOf(mark.toMs), xOf(mark.tMs) + 1), plot.bottom() + 1))
                .intersected(recorded);
        painter.fillRect(band, colors.ground);
        painter.fillRect(band, QBrush(colors.second, Qt::BDiagPattern));
    }
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(plot.adjusted(0, 0, -1, -1));
}

void TimeStrip::paintTimes(QPainter& painter) const
{
    const ThemeColors& colors = themeColors(palette());
    const QRect plot = track();
    painter.setFont(uiFont(TextSize::Caption));
    const QFontMetrics metrics(painter.font());
    const qreal now = xOf(m_view.nowMs());
    const bool hasNow = now <= plot.right() + 2;
    for (const TimeTick& tick : timeTicks(m_view, TimeLabels::Clock, plot.width() / columnWidth)) {
        const qreal x = std::floor(xOf(tick.tMs)) + 0.5;
        painter.setPen(QPen(colors.border, 1));
        painter.drawLine(QPointF(x, plot.bottom() - 3), QPointF(x, plot.bottom()));
        if (hasNow && std::abs(x - now) < columnWidth * 0.7)
            continue;
        QRectF place(x - columnWidth / 2.0, plot.bottom() + 3, columnWidth, metrics.height());
        if (place.left() < 0)
            place.moveLeft(0);
        painter.setPen(colors.second);
        painter.drawText(place, Qt::AlignHCenter | Qt::AlignVCenter, tick.label);
    }
    if (!hasNow)
        return;
    painter.setPen(m_momentMs ? colors.second : colors.text);
    painter.drawText(
        QRectF(now - columnWidth, plot.bottom() + 3, columnWidth + 6, metrics.height()),
        Qt::AlignRight | Qt::AlignVCenter, tr("now"));
}

// The most important last, so that it lies on top where many share a pixel.
void TimeStrip::paintMarks(QPainter& painter) const
{
    const ThemeColors& colors = themeColors(palette());
    const QRect plot = track();
    using Sort = TimeMark::Sort;
    for (const Sort sort : {Sort::Change, Sort::Finding, Sort::Server, Sort::Alert, Sort::Action}) {
        for (const TimeMark& mark : m_marks) {
            if (mark.sort != sort || mark.tMs < m_view.fromMs() || mark.tMs > m_view.toMs())
                continue;
            const int x = qRound(xOf(mark.tMs));
            const bool small = sort == Sort::Change || mark.resolves;
            const int top = small ? plot.center().y() : plot.top() + 3;
            painter.fillRect(QRect(x - (small ? 0 : 1), top, small ? 1 : 2, plot.bottom() - top),
                             colors.of(markRole(mark)));
        }
    }
    if (!m_hoverX || !plot.contains(*m_hoverX, plot.center().y()))
        return;
    painter.fillRect(QRect(*m_hoverX, plot.top(), 1, plot.height()), colors.second);
}

void TimeStrip::paintHandle(QPainter& painter) const
{
    const ThemeColors& colors = themeColors(palette());
    const QRect plot = track();
    const qreal x = xOf(m_momentMs.value_or(m_view.nowMs()));
    if (x < plot.left() - 1 || x > plot.right() + 2)
        return;
    const QColor color = m_momentMs ? colors.violet : colors.accent;
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.fillRect(QRectF(x - 1, plot.top(), 2, plot.height()), color);
    painter.setPen(QPen(colors.surface, 1));
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(x - handleWidth / 2.0, plot.center().y() - 8, handleWidth, 16),
                            3, 3);
}

} // namespace lk
