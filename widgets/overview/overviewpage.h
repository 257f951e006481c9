// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"
#include "widgets/board/board.h"

class QLabel;
class QStackedLayout;
class QToolButton;

namespace lk {

class SummaryList;
struct KindSummary;
class EmptyState;
class ExpiryHistogram;
class Panel;
class ProgressLine;
class TimeChart;

/// The primitives that need attention, and the busiest and fullest, on one screen.
class OverviewPage final : public Board
{
    Q_OBJECT

public:
    explicit OverviewPage(QWidget* parent = nullptr);

    BoardBadge badge() const override;

protected:
    void sessionChanged() override;
    void activeChanged() override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Tile
    {
        Kind kind;
        QLabel* count;
        QLabel* caption;
        QLabel* icon;
        QToolButton* open;
        Panel* panel;
        std::optional<Health> shown = {}; ///< by the icon
    };

    QWidget* buildAttention();
    QWidget* buildFullest();
    QWidget* buildTiles();
    void updateIcons();
    void refresh();
    void refreshScan();
    void refreshTile(Tile& tile, const KindSummary& kind, const QString& estimate);
    void openBoard(Kind kind);
    void setUpHorizon(ExpiryHistogram* chart, Kind kind);
    void updateEmptyState();

    QStackedLayout* m_stack;
    EmptyState* m_empty;
    std::vector<Tile> m_tiles;
    Panel* m_attentionPanel;
    QLabel* m_scanText;
    ProgressLine* m_scanLine;
    SummaryList* m_attention;
    QToolButton* m_unknownLimits; ///< primitives whose fullness is unknown
    SummaryList* m_fullest;
    SummaryList* m_busiest;
    SummaryList* m_deepest;
    ExpiryHistogram* m_leases;
    ExpiryHistogram* m_tokens;
    QLabel* m_ended; ///< how tokens ended
};

} // namespace lk
