// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/server/slotload.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/controls/tables/rowmodel.h"

namespace lk {

class ContentWidths;

/// The hottest slots of a cluster as rows, as the servers report them.
class SlotModel final : public RowModel<SlotLoad>
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

    explicit SlotModel(QObject* parent = nullptr);

    void setLoads(const SlotLoads& loads) { setRows(loads.busiest); }
    /// Some row has something in that column.
    bool isReported(int column) const;
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
