// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/redlock/redlockreport.h"

#include <QAbstractTableModel>

namespace lk {

/// What each server of a group says of one lock, in the group's order.
class VoteModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum VoteColumn { ServerColumn, StateColumn, TtlColumn, ClockColumn, Total };

    using QAbstractTableModel::QAbstractTableModel;

    void show(const RedlockState& state, const std::vector<RedlockServer>& servers);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row
    {
        RedlockVote vote;
        QString clock;        ///< "+3 ms"
        bool isOther = false; ///< somebody else's than the one with the most
        bool operator==(const Row&) const = default;
    };

    std::vector<Row> m_rows;
};

} // namespace lk
