// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/tables/flattable.h"

namespace lk {

/// A small table as high as its rows, within bounds. One of its columns takes the remaining room.
class RowsTable final : public FlatTable
{
    Q_OBJECT

public:
    /// Takes the model.
    RowsTable(QAbstractItemModel* model, int wideColumn, QWidget* parent = nullptr);

    /// The row that is selected. -1: none.
    int selectedRow() const;

signals:
    void opened(int row); ///< by Return or a double click

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    const int m_wideColumn;
};

} // namespace lk
