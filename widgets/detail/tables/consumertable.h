// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "widgets/controls/tables/flattable.h"

#include <QAbstractTableModel>

namespace lk {

/// Those who share a limiter, as rows: name, used of limit, next free, the cluster's slot.
class ConsumerModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    /// mainSlot: of the key that they share.
    void setConsumers(std::vector<Consumer> consumers, int mainSlot);
    const Consumer& consumer(int row) const { return m_consumers[size_t(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<Consumer> m_consumers;
    int m_mainSlot = 0;
};

/// The table of a limiter's consumers; owns its model. Belongs to the limiter's detail body.
class ConsumerTable final : public FlatTable
{
    Q_OBJECT

public:
    explicit ConsumerTable(QWidget* parent = nullptr);

    void setConsumers(const std::vector<Consumer>& consumers, int mainSlot);

private:
    ConsumerModel* m_model;
};

} // namespace lk
