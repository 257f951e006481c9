// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/tables/contentwidths.h"

#include "widgets/controls/tables/rowdelegate.h"
#include "widgets/controls/tables/tablearrangement.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QStyle>
#include <QTableView>

#include <algorithm>

namespace lk {

namespace {

constexpr int mostMeasured = 200;   // rows; those below look the same
constexpr int contentWidthsGap = 8; // pixels between what a column holds and the next one

} // namespace

ContentWidths::ContentWidths(QTableView* table, int filling, TableArrangement* arrangement)
    : QObject(table)
    , m_table(table)
    , m_arrangement(arrangement)
    , m_filling(filling)
    , m_widths(size_t(table->model()->columnCount()), 0)
{
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->installEventFilter(this);
    connect(arrangement, &TableArrangement::released, this, &ContentWidths::share);
}

int ContentWidths::widthOf(int column) const
{
    const QHeaderView* header = m_table->horizontalHeader();
    const QAbstractItemModel* model = m_table->model();
    int width = header->fontMetrics().horizontalAdvance(
                    model->headerData(column, Qt::Horizontal).toString()) +
                2 * RowDelegate::margin;
    QStyleOptionViewItem option;
    option.initFrom(m_table);
    option.widget = m_table;
    option.font = m_table->font();
    const int icon = m_table->style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, m_table);
    option.decorationSize = {icon, icon};
    for (int row = 0; row < std::min(model->rowCount(), mostMeasured); ++row)
        width = std::max(
            width, m_table->itemDelegate()->sizeHint(option, model->index(row, column)).width());
    return width + contentWidthsGap;
}

void ContentWidths::fit(int rows)
{
    m_rows = rows;
    for (size_t column = 0; column < m_widths.size(); ++column) {
        if (!m_table->isColumnHidden(int(column)))
            m_widths[column] = std::max(m_widths[column], widthOf(int(column)));
    }
    share();
}

void ContentWidths::share()
{
    QHeaderView* header = m_table->horizontalHeader();
    int all = 0;
    for (size_t column = 0; column < m_widths.size(); ++column) {
        const int width = m_arrangement->isByHand(int(column)) ? m_arrangement->byHand(int(column))
                                                               : m_widths[column];
        all += m_table->isColumnHidden(int(column)) ? 0 : width;
    }
    const int room = m_table->width() - 2 * m_table->frameWidth() -
                     (m_table->verticalScrollBar()->isVisible()
                          ? m_table->verticalScrollBar()->sizeHint().width()
                          : 0);
    for (size_t column = 0; column < m_widths.size(); ++column) {
        const int left = int(column) == m_filling ? std::max(0, room - all) : 0;
        if (m_widths[column] > 0 && !m_table->isColumnHidden(int(column)))
            m_arrangement->resize(int(column), m_widths[column] + left);
    }
    const int bar = all > room ? m_table->horizontalScrollBar()->sizeHint().height() : 0;
    const int height = header->sizeHint().height() +
                       m_rows * m_table->verticalHeader()->defaultSectionSize() +
                       2 * m_table->frameWidth() + bar;
    if (m_table->minimumHeight() != height || m_table->maximumHeight() != height)
        m_table->setFixedHeight(height);
}

bool ContentWidths::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        share();
    return QObject::eventFilter(watched, event);
}

} // namespace lk
