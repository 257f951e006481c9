// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QStackedLayout;
class QWidget;

namespace lk {

class PaneSplitter;

/// Of what a board with a list is made.
struct ListBoardParts
{
    QWidget* bar;          ///< the filter, and what stands at its right
    QWidget* head;         ///< between that and the table; null: nothing
    QStackedLayout* stack; ///< the table, or what stands instead of it
    QWidget* table;
    QWidget* empty;
    QWidget* foot; ///< below the table; null: nothing
    QWidget* pane; ///< of what is selected
    int tableSize; ///< pixels, where nobody has moved the line between table and pane
    int paneSize;
};

/// Lays the board out and takes all of it.
PaneSplitter* layOutListBoard(QWidget* board, const ListBoardParts& parts);

} // namespace lk
