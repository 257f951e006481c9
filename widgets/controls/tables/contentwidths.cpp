// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/tables/contentwidths.h"

#include "widgets/controls/tables/flattable.h"
#include "widgets/controls/tables/tablearrangement.h"

#include <QEvent>
#include <QScrollBar>

#include <algorithm>

namespace lk {

namespace {

constexpr int mostMeasured = 200;   // rows; those below look the same
constexpr int contentWidthsGap = 8; // pixels between what a column holds and the next one

} // namespace

ContentWidths::ContentWidths(FlatTable* table, int filling, TableArrangement* arrangement)
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

void ContentWidths::fit(int rows)
{
    m_rows = rows;
    for (size_t column = 0; column < m_widths.size(); ++column) {
        if (!m_table->isColumnHidden(int(column)))
            m_widths[column] =
                std::max(m_widths[column],
                         m_table->contentWidth(int(column), 0, mostMeasured) + contentWidthsGap);
    }
    share();
}

void ContentWidths::share()
{
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
    m_table->fitHeight(m_rows, all > room);
}

bool ContentWidths::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        share();
    return QObject::eventFilter(watched, event);
}

} // namespace lk
