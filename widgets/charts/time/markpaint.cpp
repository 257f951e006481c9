// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/time/markpaint.h"

#include <QPainter>

namespace lk {

namespace {

constexpr int longestText = 60;
constexpr int flagSize = 6;

} // namespace

ColorRole markRole(const TimeMark& mark)
{
    if (mark.resolves)
        return ColorRole::Ok;
    switch (mark.sort) {
    case TimeMark::Sort::Action:
        return ColorRole::Accent;
    case TimeMark::Sort::Alert:
    case TimeMark::Sort::Server:
        return ColorRole::Danger;
    case TimeMark::Sort::Finding:
        return ColorRole::Warning;
    case TimeMark::Sort::Change:
    case TimeMark::Sort::Gap:
        break;
    }
    return ColorRole::Second;
}

bool isFlag(const TimeMark& mark)
{
    return mark.sort != TimeMark::Sort::Gap && mark.sort != TimeMark::Sort::Change;
}

QString shortMarkText(const TimeMark& mark)
{
    return mark.text.size() <= longestText ? mark.text
                                           : mark.text.left(longestText - 1) + QChar(0x2026);
}

// The most important last, so that it lies on top.
void paintTimeMarks(QPainter& painter, const QRect& area, const std::vector<TimeMark>& marks,
                    const std::function<qreal(qint64)>& xOf, const QPalette& palette)
{
    const ThemeColors& colors = themeColors(palette);
    painter.save();
    painter.setClipRect(area.adjusted(0, 0, flagSize, 1));
    using Sort = TimeMark::Sort;
    for (const Sort sort : {Sort::Finding, Sort::Server, Sort::Alert, Sort::Action}) {
        for (const TimeMark& mark : marks) {
            if (mark.sort != sort)
                continue;
            const qreal x = xOf(mark.tMs);
            if (!(x >= area.left() && x <= area.right() + 1))
                continue;
            const QColor color = colors.of(markRole(mark));
            const int place = qRound(x);
            painter.setRenderHint(QPainter::Antialiasing, false);
            painter.fillRect(QRect(place, area.top(), 1, area.height()),
                             colors.tint(markRole(mark)));
            painter.fillRect(QRect(place, area.bottom() - 2 * flagSize, 1, 2 * flagSize), color);
            painter.setRenderHint(QPainter::Antialiasing, true);
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            const qreal top = area.bottom() - 2 * flagSize;
            painter.drawPolygon(QPolygonF({QPointF(place, top), QPointF(place + flagSize, top + 3),
                                           QPointF(place, top + 6)}));
        }
    }
    painter.restore();
}

} // namespace lk
