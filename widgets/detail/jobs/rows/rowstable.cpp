// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobs/rows/rowstable.h"

#include <QKeyEvent>
#include <QResizeEvent>

#include <algorithm>

namespace lk {

namespace {

constexpr int mostRowsSeen = 6;
constexpr int leastWideChars = 10; // before the table scrolls sideways
constexpr int mostChars = 26;      // of any other column
constexpr int leastChars = 7;      // of another text, where there is no room

} // namespace

RowsTable::RowsTable(QAbstractItemModel* model, int wideColumn, QWidget* parent)
    : FlatTable(parent)
    , m_wideColumn(wideColumn)
{
    model->setParent(this);
    setModel(model);
    setHorizontalScrollMode(ScrollPerPixel);
    connect(this, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { emit opened(index.row()); });
    connect(model, &QAbstractItemModel::rowsInserted, this, &RowsTable::fit);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &RowsTable::fit);
    connect(model, &QAbstractItemModel::dataChanged, this, &RowsTable::fit);
}

int RowsTable::selectedRow() const
{
    const QModelIndexList rows = selectionModel()->selectedRows();
    return rows.isEmpty() ? -1 : rows.front().row();
}

void RowsTable::fit()
{
    std::vector<int> texts; // columns that may be cut; numbers and times are not
    int used = 0;
    for (int column = 0; column < model()->columnCount(); ++column) {
        if (column == m_wideColumn || isColumnHidden(column))
            continue;
        setColumnWidth(column, std::min(contentWidth(column, 0, model()->rowCount() - 1),
                                        textWidth(mostChars)));
        used += columnWidth(column);
        if (!model()->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).isValid())
            texts.push_back(column);
    }
    const int least = textWidth(leastWideChars);
    for (const int column : texts) {
        const int missing = used + least - viewport()->width();
        const int spare = columnWidth(column) - textWidth(leastChars);
        const int less = std::clamp(missing, 0, std::max(0, spare));
        setColumnWidth(column, columnWidth(column) - less);
        used -= less;
    }
    const int rest = std::max(least, viewport()->width() - used);
    setColumnWidth(m_wideColumn, rest);
    fitHeight(std::clamp(model()->rowCount(), 1, mostRowsSeen), used + rest > viewport()->width());
}

void RowsTable::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && event->modifiers() == Qt::NoModifier && currentIndex().isValid())
        emit opened(currentIndex().row());
    else
        FlatTable::keyPressEvent(event);
}

void RowsTable::resizeEvent(QResizeEvent* event)
{
    FlatTable::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        fit();
}

} // namespace lk
