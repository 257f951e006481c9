// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace lk {

/// How every table looks: quiet titles, rows of one height, no grid and no frame. Whole rows are
/// selected, one at a time unless the table says otherwise, and Tab leaves the table.
class FlatTable : public QTableView
{
    Q_OBJECT

public:
    explicit FlatTable(QWidget* parent = nullptr);

    /// Makes the table as high as that many rows. scrolls: has a bar to scroll sideways by.
    void fitHeight(int rows, bool scrolls = false);
    /// Returns the width that a column's title and its cells in those rows take, whole.
    int contentWidth(int column, int firstRow, int lastRow) const;
    /// The width of a text of that many characters, with the margins of a cell.
    int textWidth(int characters) const;
};

} // namespace lk
