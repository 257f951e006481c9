// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/tables/flattable.h"

#include "widgets/controls/tables/flatheader.h"
#include "widgets/controls/tables/rowdelegate.h"

#include <QScrollBar>

#include <algorithm>

namespace lk {

FlatTable::FlatTable(QWidget* parent)
    : QTableView(parent)
{
    setHorizontalHeader(new FlatHeader);
    setItemDelegate(new RowDelegate(this));
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setShowGrid(false);
    setFrameShape(NoFrame);
    setWordWrap(false);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(RowDelegate::rowHeight(fontMetrics()));
}

void FlatTable::fitHeight(int rows, bool scrolls)
{
    const int height = horizontalHeader()->sizeHint().height() +
                       rows * verticalHeader()->defaultSectionSize() + 2 * frameWidth() +
                       (scrolls ? horizontalScrollBar()->sizeHint().height() : 0);
    if (minimumHeight() != height || maximumHeight() != height)
        setFixedHeight(height);
}

int FlatTable::contentWidth(int column, int firstRow, int lastRow) const
{
    const QFontMetrics header(horizontalHeader()->font());
    int width = header.horizontalAdvance(model()->headerData(column, Qt::Horizontal).toString());
    for (int row = firstRow; row <= std::min(lastRow, model()->rowCount() - 1); ++row) {
        const QModelIndex index = model()->index(row, column);
        const QVariant its = index.data(Qt::FontRole);
        const QFontMetrics cell(its.isValid() ? its.value<QFont>() : font());
        const int icon = index.data(Qt::DecorationRole).isNull() ? 0 : RowDelegate::iconWidth(cell);
        width = std::max(width, cell.horizontalAdvance(index.data().toString()) + icon);
    }
    constexpr int slack = 2; // fonts round up
    return width + 2 * RowDelegate::margin + slack;
}

int FlatTable::textWidth(int characters) const
{
    return fontMetrics().averageCharWidth() * characters + 2 * RowDelegate::margin;
}

} // namespace lk
