// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/board/board.h"

class QLabel;
class QPushButton;

namespace lk {

class FactGrid;
class NodeTable;
class Panel;
class SeriesFeed;
class SlotTable;
class TimeChart;

/// The server in words: its identity, whether its data is durable, what this console costs it.
class ServerPage final : public Board
{
    Q_OBJECT

public:
    explicit ServerPage(QWidget* parent = nullptr);

    bool shows(const BoardTarget& target) const override;

protected:
    void build() override;
    void sessionChanged() override;
    void activeChanged() override;
    QVariantMap arrangement() const override;
    void arrange(const QVariantMap& state) override;

private:
    void refresh();
    void showSlots(const SlotLoads& loads);
    void refreshConsole(Session& session);

    NodeTable* m_nodes = nullptr;
    Panel* m_nodesPanel = nullptr; ///< shown if there are several
    SlotTable* m_slots = nullptr;
    QLabel* m_slotsNote = nullptr;
    Panel* m_slotsPanel = nullptr; ///< shown if the servers report their slots
    QLabel* m_past = nullptr;      ///< which parts of the page show the past
    QLabel* m_durable = nullptr;
    QLabel* m_replication = nullptr;
    FactGrid* m_identity = nullptr;
    FactGrid* m_memory = nullptr;
    FactGrid* m_persistence = nullptr;
    FactGrid* m_replicationFacts = nullptr;
    QPushButton* m_master = nullptr; ///< only for a replica: connects to its master
    FactGrid* m_console = nullptr;
    FactGrid* m_recording = nullptr;
    QPushButton* m_recordingSettings = nullptr;
    TimeChart* m_load = nullptr;
    TimeChart* m_memoryChart = nullptr;
    TimeChart* m_cost = nullptr;
    SeriesFeed* m_feed = nullptr;     ///< at the moment that is shown
    SeriesFeed* m_costFeed = nullptr; ///< at present
    QPointer<Session> m_server;       ///< the live one, also in the past
};

} // namespace lk
