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
    QVariantMap viewState() const override;
    void setViewState(const QVariantMap& state) override;
    void select(quint64 id);
    void exportCsv();
    void copySelection();
    void fix(); ///< opens the step that fixes the selected one

    QTableView* table() const { return m_table; }

protected:
    void sessionChanged() override;
    void activeChanged() override;
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

    FindingModel* m_model;
    FilterBar* m_filter;
    QTableView* m_table;
    TableArrangement* m_arrangement = nullptr;
    PaneSplitter* m_splitter = nullptr;
    ExportButton* m_export = nullptr;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    FindingDetail* m_detail;
    QLabel* m_note = nullptr;
    QCheckBox* m_silenced = nullptr;
    quint64 m_selected = 0;
    LiveFindingPtr m_carried; ///< selected at another time: its like is, once it is there
    bool m_restoring = false;
};

} // namespace lk
