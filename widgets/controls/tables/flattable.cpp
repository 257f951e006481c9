// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/tables/flattable.h"

#include "widgets/controls/tables/flatheader.h"
#include "widgets/controls/tables/rowdelegate.h"

namespace lk {

FlatTable::FlatTable(QWidget* parent)
    : QTableView(parent)
{
    setHorizontalHeader(new FlatHeader);
    setItemDelegate(new RowDelegate(this));
    setSelectionBehavior(SelectRows);
    setShowGrid(false);
    setFrameShape(NoFrame);
    setWordWrap(false);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(RowDelegate::rowHeight(fontMetrics()));
}

} // namespace lk
