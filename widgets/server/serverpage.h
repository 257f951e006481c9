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

/// The server in words: who it is, whether what it holds is durable, what this console costs it.
class ServerPage final : public Board
{
    Q_OBJECT

public:
    explicit ServerPage(QWidget* parent = nullptr);

    bool shows(const BoardTarget& target) const override;
    QVariantMap viewState() const override;
    void setViewState(const QVariantMap& state) override;

protected:
    void sessionChanged() override;
    void activeChanged() override;

private:
    void refresh();
    void showSlots(const SlotLoads& loads);
    void refreshConsole(Session& session);

    NodeTable* m_nodes;
    Panel* m_nodesPanel; ///< shown where there are several
    SlotTable* m_slots;
    QLabel* m_slotsNote;
    Panel* m_slotsPanel; ///< shown where servers tell of their slots
    QLabel* m_past;      ///< what of this is of the past
    QLabel* m_durable;
    QLabel* m_replication;
    FactGrid* m_identity;
    FactGrid* m_memory;
    FactGrid* m_persistence;
    FactGrid* m_replicationFacts;
    QPushButton* m_master; ///< of a replica: goes there
    FactGrid* m_console;
    FactGrid* m_recording;
    QPushButton* m_recordingSettings;
    TimeChart* m_load;
    TimeChart* m_memoryChart;
    TimeChart* m_cost;
    SeriesFeed* m_feed;         ///< of the moment that is shown
    SeriesFeed* m_costFeed;     ///< of now
    QPointer<Session> m_server; ///< the live one, also in the past
};

} // namespace lk
