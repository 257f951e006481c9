// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/board/board.h"

class QLabel;

namespace lk {

class FactGrid;
class NodeTable;
class Panel;
class SeriesFeed;
class TimeChart;

/// The server in words: who it is, whether what it holds is durable, what this console costs it.
class ServerPage final : public Board
{
    Q_OBJECT

public:
    explicit ServerPage(QWidget* parent = nullptr);

    bool shows(const BoardTarget& target) const override;

protected:
    void sessionChanged() override;
    void activeChanged() override;

private:
    void refresh();
    void refreshConsole(Session& session);

    NodeTable* m_nodes;
    Panel* m_nodesPanel; ///< shown where there are several
    QLabel* m_past;      ///< what of this is of the past
    QLabel* m_durable;
    QLabel* m_replication;
    FactGrid* m_identity;
    FactGrid* m_memory;
    FactGrid* m_persistence;
    FactGrid* m_replicationFacts;
    FactGrid* m_console;
    TimeChart* m_load;
    TimeChart* m_memoryChart;
    TimeChart* m_cost;
    SeriesFeed* m_feed;
    QPointer<Session> m_server; ///< the live one, also in the past
};

} // namespace lk
