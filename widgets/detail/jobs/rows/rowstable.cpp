// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobs/rows/rowstable.h"

#include "widgets/controls/tables/rowdelegate.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QResizeEvent>
#include <QScrollBar>

#include <algorithm>

namespace lk {

namespace {

constexpr int mostRowsSeen = 6;
constexpr int leastWideChars = 10; // before the table scrolls sideways
constexpr int mostChars = 26;      // of any other column
constexpr int leastChars = 7;      // of another text, where there is no room

} // namespace

RowsTable::RowsTable(std::vector<RowsModel::Column> columns, int wideColumn, QWidget* parent)
    : FlatTable(parent)
    , m_model(new RowsModel(std::move(columns), this))
    , m_wideColumn(wideColumn)
{
    setModel(m_model);
    setSelectionMode(SingleSelection);
    setHorizontalScrollMode(ScrollPerPixel);
    connect(this, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { emit opened(index.row()); });
}

void RowsTable::setRows(std::vector<std::vector<RowsModel::Cell>> rows)
{
    m_model->setRows(std::move(rows));
    fit();
}

void RowsTable::fit()
{
    std::vector<int> texts; // columns that may be cut; numbers and times are not
    int used = 0;
    for (int column = 0; column < m_model->columnCount(); ++column) {
        if (column == m_wideColumn || isColumnHidden(column))
            continue;
        const QFontMetrics header(horizontalHeader()->font());
        int width = header.horizontalAdvance(
            m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        for (int row = 0; row < m_model->rowCount(); ++row) {
            const QModelIndex index = m_model->index(row, column);
            const QVariant mono = index.data(Qt::FontRole);
            const QFontMetrics cell(mono.isValid() ? mono.value<QFont>() : font());
            const int icon = index.data(Qt::DecorationRole).isValid() ? cell.height() + 6 : 0;
            width = std::max(width, cell.horizontalAdvance(index.data().toString()) + icon);
        }
        width = std::min(width, fontMetrics().averageCharWidth() * mostChars) +
                2 * RowDelegate::margin + 2;
        setColumnWidth(column, width);
        used += width;
        if (!m_model->isNumber(column))
            texts.push_back(column);
    }
    const int least = fontMetrics().averageCharWidth() * leastWideChars + 2 * RowDelegate::margin;
    for (const int column : texts) {
        const int missing = used + least - viewport()->width();
        const int spare = columnWidth(column) - fontMetrics().averageCharWidth() * leastChars -
                          2 * RowDelegate::margin;
        const int less = std::clamp(missing, 0, std::max(0, spare));
        setColumnWidth(column, columnWidth(column) - less);
        used -= less;
    }
    const int rest = std::max(least, viewport()->width() - used);
    setColumnWidth(m_wideColumn, rest);
    const bool wider = used + rest > viewport()->width();
    const int rows = std::clamp(m_model->rowCount(), 1, mostRowsSeen);
    setFixedHeight(horizontalHeader()->sizeHint().height() +
                   rows * verticalHeader()->defaultSectionSize() + 2 * frameWidth() +
                   (wider ? horizontalScrollBar()->sizeHint().height() : 0));
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
