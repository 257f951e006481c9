// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/server/slotload.h"
#include "widgets/controls/tables/flattable.h"

#include <QAbstractTableModel>

namespace lk {

class ContentWidths;

/// The hottest slots of a cluster as rows, as the servers report them.
class SlotModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// Columns from left to right.
    enum Column {
        NumberColumn,
        NodeColumn,
        ShareColumn,
        CpuColumn,
        KeysColumn,
        MemoryColumn,
        InColumn,
        OutColumn,
        ColumnTotal
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setLoads(const SlotLoads& loads);
    /// Some row has something in that column.
    bool isReported(int column) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const SlotLoad& load, int column) const;

    std::vector<SlotLoad> m_loads;
};

/// The table of those, without the columns that no server reports; owns its model.
class SlotTable final : public FlatTable
{
    Q_OBJECT

public:
    explicit SlotTable(QWidget* parent = nullptr);

    void setLoads(const SlotLoads& loads);

private:
    SlotModel* m_model;
    ContentWidths* m_widths = nullptr;
};

} // namespace lk
