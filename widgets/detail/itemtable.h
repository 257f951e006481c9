// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "widgets/boards/flattable.h"

#include <QAbstractTableModel>

namespace lk {

/// The items of a processing list: number, age by first sight, size, the payload's beginning.
class ItemModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    /// nowMs: server time, from which ages are counted.
    void setItems(const QueueState& queue, qint64 nowMs);
    const std::vector<QueueItem>& items() const { return m_items; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    bool isStuck(const QueueItem& item) const;

    std::vector<QueueItem> m_items;
    qint64 m_nowMs = 0;
    qint64 m_stuckAfterMs = 0;
};

class ItemTable final : public FlatTable
{
    Q_OBJECT

public:
    explicit ItemTable(QWidget* parent = nullptr);

    /// What is selected stays selected wherever it stands now.
    void setItems(const QueueState& queue, qint64 nowMs);
    /// The selected items' fingerprints in hex, separated by commas.
    QByteArray chosen() const;

private:
    ItemModel* m_model;
};

} // namespace lk
