// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/controls/tables/flattable.h"
#include "widgets/detail/jobs/rows/rowsmodel.h"

namespace lk {

/// A small table as high as its rows, within bounds. One of its columns takes the remaining room.
/// Owns its model.
class RowsTable final : public FlatTable
{
    Q_OBJECT

public:
    RowsTable(std::vector<RowsModel::Column> columns, int wideColumn, QWidget* parent = nullptr);

    void setRows(std::vector<std::vector<RowsModel::Cell>> rows);

signals:
    void opened(int row); ///< by Return or a double click

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    RowsModel* m_model;
    const int m_wideColumn;
};

} // namespace lk
