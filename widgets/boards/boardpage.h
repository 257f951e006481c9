// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/board/summary.h"
#include "widgets/board/listboard.h"

#include <QTimer>

class QHBoxLayout;
class QMenu;
class QToolButton;

namespace lk {

class Action;
class ColumnFit;
class DetailPane;
class FilterBar;
class PossibleNotice;
class PrimitiveModel;
class RedlockList;
class RowGroups;

/// The board of one kind: filter, table, and the detail pane of the selected primitive. Reports the
/// rows on screen to the session, so that only these are polled.
class BoardPage final : public ListBoard
{
    Q_OBJECT

public:
    explicit BoardPage(Kind kind, QWidget* parent = nullptr);
    ~BoardPage() override;

    Kind kind() const { return m_kind; }
    BoardBadge badge() const override;
    bool shows(const BoardTarget& target) const override;
    void open(const BoardTarget& target) override;
    void selectFirst() override; ///< also where another is selected
    void select(Handle handle);
    Handle selected() const { return m_selected; }
    void exportCsv();

protected:
    void build() override;
    void sessionChanged() override;
    void activeChanged() override;
    RowsText csvOf(const std::vector<int>& rows) const override;
    QVariantMap arrangement() const override;
    void arrange(const QVariantMap& state) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void offerCommands();
    void buildTable();
    void buildExportButton();
    void shareWidth();
    void ask();
    void onSorted(const BoardRows& rows);
    void onSelectionChanged();
    void leaveRows();
    void onHeaderClicked(int section);
    void updateChips(const BoardRows& rows);
    void showMenu(const QPoint& position);
    void updateAttention();
    void updateEmptyState();
    void restoreSelection();
    std::vector<StatePtr> selectedStates() const;
    void showRows(const RowsTarget& target);
    void openJob(const JobTarget& target);
    void togglePin(); ///< the selected primitive
    void setWide(bool wide);
    void addRevealTo(QMenu* menu, Handle handle);
    void toggleCode(Handle handle);
    void showActions(); ///< a menu of actions on the selection
    void buildCreateActions(QHBoxLayout* row);
    void updateCreateActions();
    void declare(Handle handle);
    void act(const Action* action, const std::vector<StatePtr>& targets);
    QMenu* makeMenu();

    const Kind m_kind;
    PrimitiveModel* m_model = nullptr;
    FilterBar* m_filter = nullptr;
    ColumnFit* m_columns = nullptr;
    RowGroups* m_groups = nullptr;
    std::vector<std::pair<QToolButton*, const Action*>> m_create; ///< buttons that make something
    PossibleNotice* m_possible = nullptr;
    DetailPane* m_detail = nullptr;
    RedlockList* m_redlocks = nullptr; ///< only for locks; else null
    QTimer m_attention;                ///< coalesces scrolling and resizing
    BoardQuery m_query;
    qint64 m_total = 0;
    Handle m_selected = noHandle;
    bool m_isWide = false; ///< the pane has the board to itself
};

} // namespace lk
