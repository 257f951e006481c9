// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chartpaint.h"

#include "widgets/charts/chartformat.h"
#include "widgets/charts/timeaxis.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/themecolors.h"

#include <QCoreApplication>
#include <QPainter>

#include <cmath>

namespace lk {

namespace {

struct ChartPaintText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Chart)
};

} // namespace

int roomLeftOfTime()
{
    return QFontMetrics(uiFont(TextSize::Caption)).horizontalAdvance(QStringLiteral("00m00s")) + 8;
}

QString nowLabel(const TimeView& view)
{
    return view.isPast() ? clockText(view.nowMs(), view.knownToMs()) : ChartPaintText::tr("now");
}

bool besideNow(qreal x, qreal nowX, const QString& label, const TimeView& view)
{
    constexpr int between = 8;
    const QFontMetrics metrics(uiFont(TextSize::Caption));
    const int both = metrics.horizontalAdvance(label) + metrics.horizontalAdvance(nowLabel(view));
    return std::abs(x - nowX) < both / 2.0 + between;
}

QStringList pastTexts(qint64 tMs, qint64 nowMs)
{
    const QString at = ChartPaintText::tr("Past: %1").arg(clockText(tMs, nowMs));
    return {at + QStringLiteral(" \u00b7 ") + relativeText(tMs, nowMs), at};
}

QStringList stillTexts(const TimeAxis& axis)
{
    const TimeView& view = axis.view();
    if (view.isPast())
        return pastTexts(view.nowMs(), view.knownToMs());
    if (!view.following()) {
        const qint64 endMs = std::min(view.toMs(), view.nowMs());
        const QString at = ChartPaintText::tr("Paused at %1").arg(clockText(endMs, view.nowMs()));
        return {at + QStringLiteral(" \u00b7 ") + relativeText(endMs, view.nowMs()), at};
    }
    return axis.isReading() ? QStringList()
                            : QStringList{ChartPaintText::tr("Not live: nothing is read")};
}

QColor chartGround(const TimeAxis& axis, const QPalette& palette)
{
    const ThemeColors& colors = themeColors(palette);
    if (axis.isPast())
        return colors.tint(ColorRole::Violet);
    const bool live = axis.view().following() && axis.isReading();
    return live ? colors.surface : colors.tint(ColorRole::Warning);
}

void paintPlate(QPainter& painter, const QRectF& band, const QString& text, const QColor& color,
                const QColor& plate)
{
    const QFontMetrics metrics(painter.font());
    QRectF box(0, 0, metrics.horizontalAdvance(text) + 8, metrics.height() + 2);
    if (box.width() > band.width() || box.height() > band.height())
        return;
    box.moveCenter(band.center());
    painter.fillRect(box.toAlignedRect(), plate);
    painter.setPen(color);
    painter.drawText(box, Qt::AlignCenter, text);
}

void paintValueBox(QPainter& painter, const QRect& area, int x, const QStringList& lines,
                   const std::vector<QColor>& keys, const QPalette& palette)
{
    constexpr int pad = 8;
    constexpr int keyWidth = 3;
    const ThemeColors& colors = themeColors(palette);
    painter.setFont(uiFont(TextSize::Caption));
    const QFontMetrics metrics(painter.font());
    const int lineHeight = metrics.height() + 2;
    const int indent = keys.empty() ? 0 : keyWidth + 6;
    int width = 0;
    for (const QString& line : lines)
        width = std::max(width, metrics.horizontalAdvance(line));
    QRect box(x + 12, area.top() + 4, width + indent + 2 * pad,
              int(lines.size()) * lineHeight + 2 * pad - 2);
    if (box.right() > area.right())
        box.moveRight(x - 12);
    box.moveLeft(std::max(box.left(), area.left()));

    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(colors.ground);
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    for (int i = 0; i < lines.size(); ++i) {
        const QRect row(box.left() + pad, box.top() + pad - 1 + i * lineHeight,
                        box.width() - 2 * pad, lineHeight);
        const bool keyed = i > 0 && size_t(i) <= keys.size();
        if (keyed)
            painter.fillRect(QRect(row.left(), row.top() + 3, keyWidth, lineHeight - 6),
                             keys[size_t(i) - 1]);
        painter.setPen(i == 0 ? colors.second : colors.text);
        painter.drawText(row.adjusted(keyed ? indent : 0, 0, 0, 0),
                         Qt::AlignLeft | Qt::AlignVCenter, lines[i]);
    }
}

void paintFocus(QPainter& painter, const QRect& rect, const QPalette& palette)
{
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(themeColors(palette).accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
}

} // namespace lk
