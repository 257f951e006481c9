// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/findings/livefindings.h"
#include "widgets/board/board.h"

class QCheckBox;
class QLabel;
class QStackedLayout;
class QTableView;

namespace lk {

class EmptyState;
class ExportButton;
class FilterBar;
class FindingDetail;
class FindingModel;
class PaneSplitter;
class TableArrangement;

/// The board of hazards: all that the rules see in the session's data, worst first. While the
/// pointer is over the table its rows stand still.
class FindingsPage final : public Board
{
    Q_OBJECT

public:
    explicit FindingsPage(QWidget* parent = nullptr);

    BoardBadge badge() const override;
    bool shows(const BoardTarget& target) const override;
    void open(const BoardTarget& target) override;
    void selectFirst() override;
    void select(quint64 id);
    void exportCsv();
    void copySelection();
    void fix(); ///< opens the step that fixes the selected one

    QTableView* table() const { return m_table; } ///< null before the board is built

protected:
    void build() override;
    void sessionChanged() override;
    void activeChanged() override;
    QVariantMap arrangement() const override;
    void arrange(const QVariantMap& state) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void offerCommands();
    void buildTable();
    void buildBar();
    QWidget* buildFoot();
    void fitColumns();
    void refresh();
    void applyFilter();
    void updateCounts();
    void updateEmptyState();
    void restoreSelection();
    void selectCarried();
    void showDetail();
    void onSelectionChanged();
    void applyFix(quint64 id);
    void silence(const LiveFindingPtr& live);
    void goToObject(quint64 id);
    void showMenu(const QPoint& position);

    FindingModel* m_model = nullptr;
    FilterBar* m_filter = nullptr;
    QTableView* m_table = nullptr;
    TableArrangement* m_arrangement = nullptr;
    PaneSplitter* m_splitter = nullptr;
    ExportButton* m_export = nullptr;
    EmptyState* m_empty = nullptr;
    QStackedLayout* m_stack = nullptr;
    FindingDetail* m_detail = nullptr;
    QLabel* m_note = nullptr;
    QCheckBox* m_silenced = nullptr;
    quint64 m_selected = 0;
    LiveFindingPtr m_carried; ///< selected at another time: its like is, once it is there
    bool m_restoring = false;
};

} // namespace lk
