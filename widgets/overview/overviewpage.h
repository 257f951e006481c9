// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"
#include "backend/session/summary.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QStackedLayout;
class QToolButton;

namespace lk {

class SummaryList;
class EmptyState;
class HorizonChart;
class Panel;
class TimeChart;

/// What needs attention now, and the busiest and fullest, on one screen.
class OverviewPage final : public QWidget
{
    Q_OBJECT

public:
    explicit OverviewPage(QWidget* parent = nullptr);

    void setSession(Session* session);
    void setActive(bool active);

signals:
    void chosen(lk::Kind kind, lk::Handle handle);
    /// Its board, with what has that word; empty: all of it.
    void boardWanted(lk::Kind kind, const QString& word);
    /// Its board, with what that filter fits, the soonest to end first.
    void endingWanted(lk::Kind kind, const QString& filter);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildTiles();
    void updateIcons();
    void refresh();
    void openBoard(Kind kind);
    void setUpHorizon(HorizonChart* chart, Kind kind);
    void updateEmptyState();

    struct Tile
    {
        Kind kind;
        QLabel* count;
        QLabel* caption;
        QLabel* icon;
        QToolButton* open;
        Panel* panel;
    };

    QPointer<Session> m_session;
    QStackedLayout* m_stack;
    EmptyState* m_empty;
    std::vector<Tile> m_tiles;
    Panel* m_attentionPanel;
    SummaryList* m_attention;
    QLabel* m_allWell;
    SummaryList* m_fullest;
    SummaryList* m_busiest;
    SummaryList* m_deepest;
    QLabel* m_noQueue;
    HorizonChart* m_leases;
    HorizonChart* m_tokens;
    QLabel* m_ended; ///< how tokens ended
    bool m_active = false;
};

} // namespace lk
