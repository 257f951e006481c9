// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/possible.h"

#include <QAbstractTableModel>

namespace lk {

/// The possible primitives of one kind: key, what it may be, and why it is not proven.
class PossibleModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum PossibleColumn { KeyColumn, LayoutColumn, ReasonColumn, ColumnTotal };

    PossibleModel(Kind kind, QObject* parent);

    void setPossible(const PossiblePtr& possible);
    const PossiblePrimitive* at(int row) const; ///< null beyond the last row
    int rowOf(const QByteArray& key) const;     ///< -1: not among the rows

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Kind m_kind;
    std::vector<PossiblePrimitive> m_rows;
};

} // namespace lk
