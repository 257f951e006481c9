// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/tables/rowselection.h"

#include <QTableView>

#include <algorithm>

namespace lk {

std::vector<int> selectedRows(const QTableView& table)
{
    std::vector<int> rows;
    const QModelIndexList selected = table.selectionModel()->selectedRows();
    for (const QModelIndex& index : selected)
        rows.push_back(index.row());
    std::sort(rows.begin(), rows.end());
    return rows;
}

void selectOnly(QTableView& table, int row)
{
    table.selectionModel()->setCurrentIndex(table.model()->index(row, 0),
                                            QItemSelectionModel::ClearAndSelect |
                                                QItemSelectionModel::Rows);
}

void makeCurrent(QTableView& table, int row)
{
    QItemSelectionModel* selection = table.selectionModel();
    if (selection->isRowSelected(row))
        selection->setCurrentIndex(table.model()->index(row, 0), QItemSelectionModel::NoUpdate);
    else
        selectOnly(table, row);
}

} // namespace lk
