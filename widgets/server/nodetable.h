// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "widgets/controls/tables/flattable.h"

#include <QAbstractTableModel>

namespace lk {

class ContentWidths;

/// The nodes of a deployment as rows: masters by their slots, each followed by its replicas.
class NodeModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// Columns from left to right.
    enum NodeColumn {
        EndpointColumn,
        RoleColumn,
        StateColumn,
        SlotsColumn,
        KeysColumn,
        MemoryColumn,
        LoadColumn,
        ClientsColumn,
        LagColumn,
        DurabilityColumn,
        ColumnTotal
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setNodes(const std::vector<NodeFacts>& nodes, qint64 serverNowMs);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const NodeFacts& node, int column) const;

    std::vector<NodeFacts> m_nodes;
    qint64 m_serverNowMs = 0;
    std::optional<qint64>
        m_mostLoad; ///< of the master that has most to do; none where all are alike
};

/// The table of those; owns its model.
class NodeTable final : public FlatTable
{
    Q_OBJECT

public:
    explicit NodeTable(QWidget* parent = nullptr);

    void setNodes(const std::vector<NodeFacts>& nodes, qint64 serverNowMs);

private:
    NodeModel* m_model;
    ContentWidths* m_widths = nullptr;
};

} // namespace lk
