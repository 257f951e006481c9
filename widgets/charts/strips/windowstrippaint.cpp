// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/time/duration.h"
#include "widgets/charts/chartformat.h"
#include "widgets/charts/strips/stripgeometry.h"
#include "widgets/charts/strips/striplayout.h"
#include "widgets/charts/strips/windowstrip.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/themecolors.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr int markInset = 5;   // above and below a mark inside the lane
constexpr int densityStep = 3; // width of a column where marks are too many
constexpr int mostSlots = 60;  // of a counter; above that it is one bar
constexpr qreal laneRadius = 4;

/// A text centred on x, kept between left and right.
QRectF captionRect(const QString& text, const QFontMetrics& metrics, qreal x, qreal left,
                   qreal right, qreal top)
{
    const qreal width = metrics.horizontalAdvance(text);
    const qreal from = std::clamp(x - width / 2, left, std::max(left, right - width));
    return {from, top, width, qreal(metrics.height())};
}

/// The longest that there is room for, of several ways to say it; else the last.
QString fitting(const QStringList& forms, const QFontMetrics& metrics, qreal room)
{
    const auto it = std::find_if(forms.begin(), forms.end(), [&](const QString& form) {
        return metrics.horizontalAdvance(form) <= room;
    });
    return it == forms.end() ? forms.last() : *it;
}

} // namespace

void WindowStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), m_paused ? colors.tint(ColorRole::Warning) : colors.surface);
    paintFocusFrame(painter);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setFont(uiFont(TextSize::Caption));
    if (!m_state) {
        painter.setPen(QPen(colors.border, 1));
        painter.drawRoundedRect(QRectF(laneRect()).adjusted(0.5, 0.5, -0.5, -0.5), laneRadius,
                                laneRadius);
        painter.setPen(colors.second);
        painter.drawText(laneRect(), Qt::AlignCenter, tr("The window appears with the next read"));
        return;
    }
    if (!hasMarks(m_state->algorithm)) {
        paintCounter(painter);
        return;
    }
    const StripLayout strip = layoutNow();
    paintLane(painter, strip);
    if (strip.dense())
        paintDensity(painter, strip);
    paintMarks(painter, strip);
    paintCaptions(painter, strip);
    paintScale(painter, strip);
}

void WindowStrip::paintLane(QPainter& painter, const StripLayout& strip) const
{
    const ThemeColors& colors = themeColors(palette());
    const QRectF lane = laneRect();
    QPainterPath outline;
    outline.addRoundedRect(lane.adjusted(0.5, 0.5, -0.5, -0.5), laneRadius, laneRadius);
    painter.save();
    painter.setClipPath(outline);
    painter.fillRect(lane, colors.surface);
    const QRectF past(lane.left(), lane.top(), strip.nowX, lane.height());
    // As everywhere: a gate that is closed does what it is for, any other limiter needs attention.
    const bool isAlarming = strip.full() && m_state->algorithm != Algorithm::Gate;
    painter.fillRect(past, colors.tint(isAlarming ? ColorRole::Warning : ColorRole::Accent));
    painter.restore();
    painter.setPen(QPen(isAlarming ? colors.warning : colors.border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(outline);
}

void WindowStrip::paintMarks(QPainter& painter, const StripLayout& strip) const
{
    const ThemeColors& colors = themeColors(palette());
    const QRect lane = laneRect();
    const qreal height = lane.height() - 2 * markInset;
    const auto place = [&](const StripLayout::Mark& mark) {
        const qreal part = height / mark.rows;
        const qreal width = mark.reserved ? strip.reservedWidth : strip.markWidth;
        return QRectF(lane.left() + mark.x - width / 2, lane.top() + markInset + mark.row * part,
                      width, part - (mark.rows > 1 ? 1 : 0));
    };
    const qreal radius = std::min(2.0, strip.markWidth / 3);
    for (size_t i = 0; !strip.dense() && i < strip.accepted.size(); ++i) {
        const bool next = strip.leavesNext == i;
        painter.setPen(Qt::NoPen);
        painter.setBrush(next ? colors.warning : colors.accent);
        painter.drawRoundedRect(place(strip.accepted[i]), radius, radius);
    }
    painter.setBrush(colors.surface);
    painter.setPen(QPen(colors.violet, 1));
    for (const StripLayout::Mark& mark : strip.reserved) {
        if (mark.x <= strip.width)
            painter.drawRoundedRect(place(mark).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    }
    // Now: stronger than everything else on the lane.
    painter.fillRect(QRectF(lane.left() + strip.nowX - 1, lane.top() - 4, 2, lane.height() + 8),
                     colors.text);
}

void WindowStrip::paintDensity(QPainter& painter, const StripLayout& strip) const
{
    const ThemeColors& colors = themeColors(palette());
    const QRect lane = laneRect();
    std::vector<int> columns(size_t(strip.nowX / densityStep) + 1, 0);
    for (const StripLayout::Mark& mark : strip.accepted)
        ++columns[size_t(std::clamp(mark.x, 0.0, strip.nowX) / densityStep)];
    const int most = std::max(1, *std::ranges::max_element(columns));
    const int height = lane.height() - 2 * markInset;
    for (size_t i = 0; i < columns.size(); ++i) {
        if (columns[i] == 0)
            continue;
        const int bar = std::max(3, columns[i] * height / most);
        painter.fillRect(QRect(lane.left() + int(i) * densityStep,
                               lane.bottom() + 1 - markInset - bar, densityStep - 1, bar),
                         colors.accent);
    }
}

void WindowStrip::paintCaptions(QPainter& painter, const StripLayout& strip) const
{
    const ThemeColors& colors = themeColors(palette());
    const QRect lane = laneRect();
    const QFontMetrics metrics(painter.font());
    const qreal top = lane.top() - stripLeader - metrics.height();
    const QString nowText = tr("now");
    const QRectF now =
        captionRect(nowText, metrics, lane.left() + strip.nowX, lane.left(), lane.right() + 1, top);
    painter.setPen(colors.text);
    painter.drawText(now, Qt::AlignCenter, nowText);

    if (strip.nextFreeInMs) {
        const QString duration = formatDuration(*strip.nextFreeInMs);
        const QString text =
            fitting({tr("next free in %1").arg(duration), tr("free in %1").arg(duration), duration},
                    metrics, now.left() - 10 - lane.left());
        const qreal x = lane.left() + (strip.leavesNext ? strip.accepted[*strip.leavesNext].x : 0);
        const QRectF place = captionRect(text, metrics, x, lane.left(), now.left() - 10, top);
        painter.setPen(colors.warning);
        painter.drawText(place, Qt::AlignCenter, text);
        if (strip.leavesNext) {
            const qreal foot = std::clamp(x, place.left() + 3, place.right() - 3);
            painter.setPen(QPen(colors.warning, 1));
            painter.drawLine(QPointF(foot, place.bottom() + 1), QPointF(x, lane.top() + markInset));
        }
    }
    if (strip.retryInMs) {
        const QString duration = formatDuration(*strip.retryInMs);
        const QString text =
            fitting({tr("retry after %1").arg(duration), tr("retry %1").arg(duration), duration},
                    metrics, lane.right() + 1 - now.right() - 10);
        const qreal x = lane.left() + strip.xOf(strip.nowMs + *strip.retryInMs);
        const QRectF place = captionRect(text, metrics, x, now.right() + 10, lane.right() + 1, top);
        painter.setPen(colors.violet);
        painter.drawText(place, Qt::AlignCenter, text);
        painter.setPen(QPen(colors.violet, 1, Qt::DotLine));
        painter.drawLine(QPointF(x, place.bottom() + 1), QPointF(x, lane.bottom()));
    }
}

void WindowStrip::paintScale(QPainter& painter, const StripLayout& strip) const
{
    const ThemeColors& colors = themeColors(palette());
    const QRect lane = laneRect();
    const QFontMetrics metrics(painter.font());
    const qreal top = lane.bottom() + 1 + stripTick;
    const auto label = [&](qint64 distanceMs, bool wanted) {
        const qreal x = lane.left() + strip.xOf(strip.nowMs + distanceMs);
        painter.setPen(QPen(colors.border, 1));
        painter.drawLine(QPointF(x, lane.bottom() + 1), QPointF(x, lane.bottom() + 4));
        if (!wanted)
            return;
        QString text = formatDuration(distanceMs);
        if (distanceMs > 0)
            text.prepend(QLatin1Char('+'));
        painter.setPen(colors.second);
        painter.drawText(captionRect(text, metrics, x, lane.left(), lane.right() + 1, top),
                         Qt::AlignCenter, text);
    };
    const auto parts = [&](qint64 reachMs, qreal width, int sign) {
        const int most = std::clamp(int(width / 100), 1, 5);
        const auto step = qint64(roundStep(double(reachMs), most, Metric::Unit::Milliseconds));
        for (qint64 t = step; t <= reachMs; t += step)
            label(sign * t, true);
    };
    parts(strip.pastMs, strip.nowX, -1);
    if (strip.futureMs > 0)
        parts(strip.futureMs, strip.width - strip.nowX, 1);
}

void WindowStrip::paintCounter(QPainter& painter) const
{
    const ThemeColors& colors = themeColors(palette());
    // Lower than the lane of marks: a solid bar weighs more.
    const QRectF lane = QRectF(laneRect()).adjusted(0, 7, 0, -7);
    const qint64 used = m_state->occupancy.value_or(0);
    const qint64 limit = m_state->limit.value_or(0);
    const bool full = limit > 0 && used >= limit;
    const QColor color = full ? colors.danger : colors.accent;
    painter.setPen(Qt::NoPen);
    if (limit > 0 && limit <= mostSlots) {
        const qreal step = (lane.width() + 2) / double(limit);
        for (qint64 i = 0; i < limit; ++i) {
            painter.setBrush(i < used ? color : colors.tint(ColorRole::Second));
            painter.drawRoundedRect(
                QRectF(lane.left() + double(i) * step, lane.top(), step - 2, lane.height()), 2, 2);
        }
    } else {
        painter.setBrush(colors.tint(ColorRole::Second));
        painter.drawRoundedRect(lane, laneRadius, laneRadius);
        QRectF bar = lane;
        bar.setWidth(lane.width() *
                     std::min(1.0, double(used) / double(std::max<qint64>(limit, 1))));
        painter.setBrush(color);
        if (limit > 0)
            painter.drawRoundedRect(bar, laneRadius, laneRadius);
    }
    const std::optional<qint64> reset = resetInMs();
    const QFontMetrics metrics(painter.font());
    if (!reset)
        return;
    const bool gate = m_state->algorithm == Algorithm::Gate;
    const QString text =
        (gate ? tr("opens in %1") : tr("resets in %1")).arg(formatDuration(*reset));
    painter.setPen(full ? colors.danger : colors.second);
    painter.drawText(QRectF(lane.left(), lane.top() - stripLeader - metrics.height(), lane.width(),
                            metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, text);
    painter.fillRect(QRectF(lane.right() - 1, lane.top() - 4, 2, lane.height() + 8), colors.text);
    // How much of the window has passed: it reaches the line when the counter resets.
    if (!m_state->windowMs || *m_state->windowMs <= 0)
        return;
    const double passed = std::clamp(1 - double(*reset) / double(*m_state->windowMs), 0.0, 1.0);
    painter.fillRect(QRectF(lane.left(), lane.bottom() + 5, lane.width(), 3),
                     colors.tint(ColorRole::Second));
    painter.fillRect(QRectF(lane.left(), lane.bottom() + 5, lane.width() * passed, 3),
                     colors.second);
}

} // namespace lk
