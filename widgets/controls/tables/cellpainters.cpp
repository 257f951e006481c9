// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/tables/cellpainters.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::FillBar)
};

constexpr int barHeight = 10;
constexpr int cellPaintersGap = 8;
constexpr int shortestBar = 40;

} // namespace

QString fillBarText(const FillBar& bar)
{
    const QLocale locale;
    const QString limit = bar.limit ? locale.toString(*bar.limit) : QStringLiteral("?");
    if (!bar.used)
        return QStringLiteral("? / ") + limit;
    const QString used = locale.toString(*bar.used);
    return (bar.usedIsUpperBound ? Text::tr("\u2264 %1", "at most").arg(used) : used) +
           QStringLiteral(" / ") + limit;
}

void paintShare(QPainter& painter, const QRectF& rect, std::optional<double> share,
                const QColor& color, const QPalette& palette, bool selected)
{
    const ThemeColors& colors = themeColors(palette);
    const QColor edge = selected ? palette.color(QPalette::HighlightedText) : colors.border;
    const QRectF track(rect.left(), std::round(rect.center().y() - barHeight / 2.0), rect.width(),
                       barHeight);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(edge, 1, share ? Qt::SolidLine : Qt::DotLine));
    painter.setBrush(selected ? colors.surface : colors.ground);
    painter.drawRoundedRect(track.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    if (share.value_or(0) > 0) {
        QRectF fill = track.adjusted(2, 2, -2, -2);
        fill.setWidth(std::max(2.0, fill.width() * std::min(1.0, *share)));
        painter.fillRect(fill, color);
    }
    painter.restore();
}

void paintFillBar(QPainter& painter, const QRectF& rect, const FillBar& bar,
                  const QPalette& palette)
{
    const ThemeColors& colors = themeColors(palette);
    painter.save();
    const QString text = fillBarText(bar);
    const QFontMetrics metrics(painter.font());
    const int textWidth = std::max({bar.textWidth, metrics.horizontalAdvance(text),
                                    metrics.horizontalAdvance(QStringLiteral("000 / 000"))});
    painter.setPen(bar.selected ? palette.color(QPalette::HighlightedText) : colors.text);
    painter.drawText(rect, Qt::AlignRight | Qt::AlignVCenter, text);

    const QRectF track(rect.left(), rect.top(), rect.width() - textWidth - cellPaintersGap,
                       rect.height());
    if (track.width() >= shortestBar / 2.0) {
        const ColorRole role = bar.health == Health::Ok || bar.health == Health::Idle
                                   ? ColorRole::Accent
                                   : healthRole(bar.health);
        std::optional<double> share;
        if (bar.limit)
            share = *bar.limit > 0 ? double(bar.used.value_or(0)) / double(*bar.limit) : 0;
        paintShare(painter, track, share, colors.of(role), palette, bar.selected);
    }
    painter.restore();
}

int fillBarWidth(const QFontMetrics& metrics)
{
    return shortestBar + cellPaintersGap +
           metrics.horizontalAdvance(QStringLiteral("\u2264 000 / 000"));
}

} // namespace lk
