// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QStackedLayout;
class QWidget;

namespace lk {

class PaneSplitter;

/// The parts of a board with a list.
struct ListBoardParts
{
    QWidget* bar;          ///< the filter, and what stands at its right
    QWidget* head;         ///< between the bar and the table; may be null
    QStackedLayout* stack; ///< the table, or what stands instead of it
    QWidget* table;
    QWidget* empty;
    QWidget* foot; ///< below the table; may be null
    QWidget* pane; ///< shows the selected row
    int tableSize; ///< pixels, until the user moves the splitter
    int paneSize;
};

/// Lays the board out and takes all of it.
PaneSplitter* layOutListBoard(QWidget* board, const ListBoardParts& parts);

} // namespace lk
