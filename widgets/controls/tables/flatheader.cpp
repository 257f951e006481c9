// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/tables/flatheader.h"

#include "widgets/controls/tables/rowdelegate.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QPainter>
#include <QStyle>

#include <algorithm>

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
    QHeaderView::paintEvent(event);
    // Behind the last section the style has drawn a ground of its own.
    const int end = std::max(0, length() - offset());
    if (end >= viewport()->width())
        return;
    QPainter painter(viewport());
    const ThemeColors& colors = themeColors(palette());
    const QRect rest =
        QStyle::visualRect(layoutDirection(), viewport()->rect(),
                           QRect(end, 0, viewport()->width() - end, viewport()->height()));
    painter.fillRect(rest, colors.surface);
    painter.fillRect(QRect(rest.left(), rest.bottom(), rest.width(), 1), colors.border);
}

} // namespace lk
