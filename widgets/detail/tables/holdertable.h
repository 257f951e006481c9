// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "widgets/controls/tables/flattable.h"

#include <QAbstractTableModel>

namespace lk {

/// Who holds a lock and who waits for it, as rows: the holders, the first to end first, then those
/// who wait, the next one first.
class HolderModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum HolderColumn { NameColumn, PartColumn, SinceColumn, TtlColumn, ColumnTotal };

    using QAbstractTableModel::QAbstractTableModel;

    /// nowMs: server time, of the state.
    void setLock(const LockState& lock, qint64 nowMs);
    /// The holder of that row; null for one who waits.
    const LockHolder* holder(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString partText(int row) const;
    QString ttlText(int row) const;
    QString sinceText(int row) const;

    std::vector<LockHolder> m_holders;
    std::vector<LockWaiter> m_waiting;
    bool m_shared = false; ///< some of the holders are readers
    qint64 m_nowMs = 0;
};

/// The table of those; owns its model. A holder that is chosen stays chosen wherever it stands.
/// Belongs to the lock's detail body.
class HolderTable final : public FlatTable
{
    Q_OBJECT

public:
    explicit HolderTable(QWidget* parent = nullptr);

    void setLock(const LockState& lock, qint64 nowMs);
    /// The chosen holder's name; empty if none is, or one who waits.
    QByteArray chosen() const;

private:
    HolderModel* m_model;
};

} // namespace lk
