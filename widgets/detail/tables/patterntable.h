// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "widgets/controls/tables/flattable.h"

#include <QAbstractTableModel>

namespace lk {

/// The rows of a pattern: whose turn it is, the pages, a bar for each bitmap or weight. Bitmaps
/// stand with the newest first.
class PatternModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { PlaceColumn, LabelColumn, BarColumn, ColumnTotal };
    enum Role { ShareRole = Qt::UserRole + 1 }; ///< the bar's share, 0 to 1; invalid: unknown

    using QAbstractTableModel::QAbstractTableModel;

    void setPattern(const PatternState& pattern);
    PatternState::Rows rowsAre() const { return m_rowsAre; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString placeText(int row) const;
    QString labelText(const PatternRow& row) const;
    QString valueText(const PatternRow& row) const;

    PatternState::Rows m_rowsAre = PatternState::Rows::None;
    std::vector<PatternRow> m_rows; ///< as they are shown
    double m_largest = 0;           ///< the largest known value
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
