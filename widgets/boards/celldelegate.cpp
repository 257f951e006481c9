// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/boards/celldelegate.h"

#include "widgets/boards/primitivemodel.h"
#include "widgets/charts/cellpainters.h"
#include "widgets/findings/severitylook.h"
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

// Marks a primitive at the right end of its name; returns what is left of the cell.
QRect paintMark(QPainter* painter, const QStyleOptionViewItem& option, const QRect& rect,
                const QIcon& mark)
{
    const int side = option.fontMetrics.height() - 2;
    mark.paint(painter, QRect(rect.right() - side, rect.center().y() - side / 2, side, side));
    return rect.adjusted(0, 0, -side - 4, 0);
}

// Watched ones have a flag, those with a finding its severity.
QRect paintMarks(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                 QRect rect)
{
    if (index.data(PrimitiveModel::WatchedRole).toBool())
        rect = paintMark(painter, option, rect,
                         icon(QStringLiteral("flag"), ColorRole::Accent, option.palette));
    const int severity = index.data(PrimitiveModel::FindingRole).toInt() - 1;
    if (severity >= int(Finding::Severity::Warning))
        rect = paintMark(painter, option, rect,
                         severityIcon(Finding::Severity(severity), option.palette));
    return rect;
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
            const QRect place = style == ColumnStyle::Name ? paintMarks(painter, cell, index, rect)
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
