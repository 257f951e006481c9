// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/controls/tables/rowmodel.h"

namespace lk {

class ContentWidths;

/// One node as it stands among the others.
struct NodeRow
{
    NodeFacts node;
    bool isHottest = false; ///< the busiest master, if they differ
    qint64 serverNowMs = 0;
};

/// The nodes of a deployment as rows: masters by their slots, each followed by its replicas.
class NodeModel final : public RowModel<NodeRow>
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

    explicit NodeModel(QObject* parent = nullptr);

    void setNodes(const std::vector<NodeFacts>& nodes, qint64 serverNowMs);
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
