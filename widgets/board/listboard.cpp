// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/board/listboard.h"

#include "widgets/controls/panels/panesplitter.h"
#include "widgets/theme/boxlayout.h"

#include <QStackedLayout>

namespace lk {

PaneSplitter* layOutListBoard(QWidget* board, const ListBoardParts& parts)
{
    auto* left = new QWidget;
    auto* column = columnIn(left, {16, 12, 16, 12}, 8, {parts.bar});
    if (parts.head)
        column->addWidget(parts.head);
    column->addLayout(parts.stack, 1);
    parts.stack->addWidget(parts.table); // into a widget: it is shown at once
    parts.stack->addWidget(parts.empty);
    if (parts.foot)
        column->addWidget(parts.foot);
    auto* splitter = new PaneSplitter(left, parts.pane, parts.tableSize, parts.paneSize);
    columnIn(board, {}, 0, {splitter});
    return splitter;
}

} // namespace lk
