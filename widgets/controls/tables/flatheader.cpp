// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/tables/flatheader.h"

#include "widgets/controls/tables/rowdelegate.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QPainter>

namespace lk {

FlatHeader::FlatHeader(QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent)
{
    setFont(uiFont(TextSize::Caption));
    setHighlightSections(false);
    setSectionsClickable(true);
}

QSize FlatHeader::sizeHint() const
{
    return {QHeaderView::sizeHint().width(), fontMetrics().height() + 12};
}

void FlatHeader::paintSection(QPainter* painter, const QRect& rect, int section) const
{
    const ThemeColors& colors = themeColors(palette());
    painter->save();
    painter->fillRect(rect, colors.surface);
    painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colors.border);
    QRect text = rect.adjusted(RowDelegate::margin, 0, -RowDelegate::margin, 0);
    const auto alignment =
        Qt::Alignment(model()->headerData(section, orientation(), Qt::TextAlignmentRole).toInt());
    const bool sorts = isSortIndicatorShown() && sortIndicatorSection() == section;
    if (sorts) {
        const int side = fontMetrics().height() - 2;
        const bool right = alignment & Qt::AlignRight;
        const QRect arrow(right ? text.left() : text.right() - side, rect.center().y() - side / 2,
                          side, side);
        icon(sortIndicatorOrder() == Qt::AscendingOrder ? QStringLiteral("chevron-up")
                                                        : QStringLiteral("chevron-down"),
             ColorRole::Accent, palette())
            .paint(painter, arrow);
        if (right)
            text.setLeft(text.left() + side + 2);
        else
            text.setRight(text.right() - side - 2);
    }
    painter->setFont(font());
    painter->setPen(sorts ? colors.text : colors.second);
    const QString title = model()->headerData(section, orientation(), Qt::DisplayRole).toString();
    painter->drawText(text, int((alignment ? alignment : Qt::AlignLeft) | Qt::AlignVCenter),
                      fontMetrics().elidedText(title, Qt::ElideRight, text.width()));
    painter->restore();
}

void FlatHeader::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(viewport()->rect(), colors.surface);
    painter.fillRect(QRect(0, viewport()->height() - 1, viewport()->width(), 1), colors.border);
    painter.end();
    QHeaderView::paintEvent(event);
}

} // namespace lk
