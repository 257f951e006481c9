// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/tables/rowdelegate.h"

#include "widgets/theme/themecolors.h"

#include <QApplication>
#include <QPainter>

namespace lk {

int RowDelegate::rowHeight(const QFontMetrics& metrics)
{
    return metrics.height() + 12;
}

void RowDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const ThemeColors& colors = themeColors(option->palette);
    const QColor tint = colors.tint(ColorRole::Accent);
    option->palette.setColor(QPalette::Highlight, tint);
    option->palette.setColor(QPalette::HighlightedText, colors.text);
}

void RowDelegate::paintGround(QPainter* painter, const QStyleOptionViewItem& option)
{
    QStyleOptionViewItem plain(option);
    plain.text.clear();
    plain.icon = {};
    plain.features &= ~QStyleOptionViewItem::HasDecoration;
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &plain, painter, option.widget);
}

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const
{
    QStyleOptionViewItem cell(option);
    initStyleOption(&cell, index);
    paintGround(painter, cell);
    QRect rect = cell.rect.adjusted(margin, 0, -margin, 0);
    painter->save();
    if (!cell.icon.isNull()) {
        const int side = cell.fontMetrics.height();
        cell.icon.paint(painter, QRect(rect.left(), rect.center().y() - side / 2 + 1, side, side));
        rect.setLeft(rect.left() + iconWidth(cell.fontMetrics));
    }
    painter->setFont(cell.font);
    painter->setPen(cell.palette.color(QPalette::Text));
    // Names and owners, which are monospace, differ at their ends.
    const bool mono = cell.font.styleHint() == QFont::Monospace;
    painter->drawText(rect, int(cell.displayAlignment),
                      cell.fontMetrics.elidedText(
                          cell.text, mono ? Qt::ElideMiddle : cell.textElideMode, rect.width()));
    painter->restore();
}

QSize RowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QSize hint = QStyledItemDelegate::sizeHint(option, index);
    return {hint.width() + 2 * margin, hint.height()};
}

} // namespace lk
