// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/boards/celldelegate.h"

#include "widgets/boards/primitivemodel.h"
#include "widgets/charts/cellpainters.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QPainter>

namespace lk {

namespace {

void paintState(QPainter* painter, const QStyleOptionViewItem& option, const QRect& rect,
                const State& state, const QString& word)
{
    const int side = option.fontMetrics.height();
    const QRect iconRect(rect.left(), rect.center().y() - side / 2 + 1, side, side);
    healthIcon(state.health, option.palette).paint(painter, iconRect);
    const QRect textRect = rect.adjusted(side + 6, 0, 0, 0);
    painter->setPen(option.palette.color(QPalette::Text));
    painter->drawText(textRect, Qt::AlignVCenter | Qt::AlignLeft,
                      option.fontMetrics.elidedText(word, Qt::ElideRight, textRect.width()));
}

void paintFill(QPainter* painter, const QStyleOptionViewItem& option, const QRect& rect,
               const State& state)
{
    const auto* limiter = state.as<LimiterState>();
    if (!limiter || state.problem)
        return;
    FillBar bar;
    bar.used = limiter->occupancy;
    bar.limit = limiter->limit;
    bar.usedIsUpperBound = limiter->occupancyIsUpperBound;
    bar.health = state.health;
    paintFillBar(*painter, rect, bar, option.palette);
}

// Marks a watched primitive at the right end of its name; returns what is left of the cell.
QRect paintFlag(QPainter* painter, const QStyleOptionViewItem& option, const QRect& rect)
{
    const int side = option.fontMetrics.height() - 2;
    icon(QStringLiteral("flag"), ColorRole::Accent, option.palette)
        .paint(painter, QRect(rect.right() - side, rect.center().y() - side / 2, side, side));
    return rect.adjusted(0, 0, -side - 4, 0);
}

} // namespace

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    QStyleOptionViewItem cell(option);
    initStyleOption(&cell, index);
    const auto style = ColumnStyle(index.data(PrimitiveModel::StyleRole).toInt());
    const auto* model = qobject_cast<const PrimitiveModel*>(index.model());
    const StatePtr state = model ? model->stateAt(index.row()) : nullptr;
    const QString text = cell.text;
    painter->save();
    paintGround(painter, cell);
    if (state) {
        const QRect rect = cell.rect.adjusted(margin, 0, -margin, 0);
        painter->setFont(cell.font);
        if (style == ColumnStyle::State) {
            paintState(painter, cell, rect, *state, text);
        } else if (style == ColumnStyle::Fill) {
            paintFill(painter, cell, rect, *state);
        } else {
            const bool mono = style == ColumnStyle::Name || style == ColumnStyle::Mono;
            if (mono)
                painter->setFont(monoFont(TextSize::Body));
            const QRect place = style == ColumnStyle::Name
                                        && index.data(PrimitiveModel::WatchedRole).toBool()
                                    ? paintFlag(painter, cell, rect)
                                    : rect;
            const QFontMetrics metrics(painter->font());
            const bool quiet = style == ColumnStyle::Text || style == ColumnStyle::Layout;
            painter->setPen(quiet ? themeColors(cell.palette).second
                                  : cell.palette.color(QPalette::Text));
            painter->drawText(place, int(cell.displayAlignment),
                              metrics.elidedText(text, mono ? Qt::ElideMiddle : Qt::ElideRight,
                                                 place.width()));
        }
    }
    painter->restore();
}

} // namespace lk
