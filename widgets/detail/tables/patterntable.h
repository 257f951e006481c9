// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/controls/tables/rowmodel.h"

namespace lk {

/// A row of a pattern, and its place among the others.
struct PatternLine
{
    PatternRow row;
    int place = 0;
    double whole = 1; ///< the value of a full bar
};

/// The rows of a pattern: whose turn it is, the pages, a bar for each bitmap or weight. Bitmaps
/// stand with the newest first.
class PatternModel final : public RowModel<PatternLine>
{
    Q_OBJECT

public:
    enum Column { PlaceColumn, LabelColumn, BarColumn, ColumnTotal };
    enum Role { ShareRole = Qt::UserRole + 1 }; ///< the bar's share, 0 to 1; invalid: unknown

    explicit PatternModel(QObject* parent = nullptr);

    void setPattern(const PatternState& pattern);
    QVariant data(const QModelIndex& index, int role) const override;

private:
    PatternState::Rows m_rowsAre = PatternState::Rows::None;
};

/// The table of a pattern's rows; owns its model. Belongs to the pattern's detail body.
class PatternTable final : public FlatTable
{
    Q_OBJECT

public:
    explicit PatternTable(QWidget* parent = nullptr);

    void setPattern(const PatternState& pattern);

private:
    PatternModel* m_model;
};

} // namespace lk
