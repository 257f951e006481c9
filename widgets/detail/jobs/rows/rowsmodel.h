// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace lk {

/// A small table of texts that is built again for each state.
class RowsModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// The contents of a cell.
    struct Cell
    {
        QString text;
        QString tip = {};
        std::optional<Health> icon = {};

        bool operator==(const Cell&) const = default;
    };
    /// right: of numbers. mono: of texts that come from the server.
    struct Column
    {
        QString title;
        bool right = false;
        bool mono = false;
    };

    RowsModel(std::vector<Column> columns, QObject* parent);

    bool isNumber(int column) const { return m_columns[size_t(column)].right; }
    /// Each with as many cells as there are columns.
    void setRows(std::vector<std::vector<Cell>> rows);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const std::vector<Column> m_columns;
    std::vector<std::vector<Cell>> m_rows;
};

} // namespace lk
