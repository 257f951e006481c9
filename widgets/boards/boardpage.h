// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"
#include "backend/session/summary.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QHBoxLayout;
class QMenu;
class QSplitter;
class QStackedLayout;
class QTableView;
class QToolButton;

namespace lk {

class Action;
class ColumnFit;
class DetailPane;
class EmptyState;
class FilterBar;
class PrimitiveModel;

/// The board of one kind: filter, table, and the detail pane of the selected primitive. Tells the
/// session what is on screen, so that this and nothing else is polled.
class BoardPage final : public QWidget
{
    Q_OBJECT

public:
    explicit BoardPage(Kind kind, QWidget* parent = nullptr);
    ~BoardPage() override;

    Kind kind() const;
    void setSession(Session* session);
    /// The board that is in front has the session's attention.
    void setActive(bool active);
    void select(Handle handle);
    void selectFirst(); ///< the row that is first now, if there is one
    Handle selected() const { return m_selected; }
    void showOnly(const QString& filter);
    /// What has that word, the worst first; empty: all.
    void showWorst(const QString& word);
    /// What fits that filter, the soonest to end first; see TtlFilter.
    void showEnding(const QString& filter);
    void focusFilter();
    void exportCsv();
    void copySelection();
    void toggleWatched(); ///< the selected primitive
    void toggleCode() { toggleCode(m_selected); } ///< shows or hides the selected token's
    void showActions();   ///< a menu of what can be done to the selection

    QTableView* table() const { return m_table; }

signals:
    /// A person wants to see it on its own board.
    void findingWanted(quint64 id);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildTable();
    void buildExportButton();
    void updateIcons();
    void shareWidth();
    void ask();
    void onArranged(const BoardRows& rows);
    void onSelectionChanged();
    void onHeaderClicked(int section);
    void updateChips(const BoardRows& rows);
    void showMenu(const QPoint& position);
    void updateAttention();
    void updateEmptyState();
    void restoreSelection();
    std::vector<int> selectedRows() const;
    std::vector<StatePtr> selectedStates() const;
    void addRevealTo(QMenu* menu, Handle handle);
    void toggleCode(Handle handle);
    void buildCreateActions(QHBoxLayout* row);
    void updateCreateActions();
    void declare(Handle handle);
    void act(const Action* action, const std::vector<StatePtr>& targets);
    QMenu* makeMenu();

    PrimitiveModel* m_model;
    QPointer<Session> m_session;
    FilterBar* m_filter;
    QTableView* m_table;
    ColumnFit* m_columns = nullptr;
    QToolButton* m_export;
    std::vector<std::pair<QToolButton*, const Action*>> m_create; ///< buttons that make something
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    DetailPane* m_detail;
    QSplitter* m_splitter;
    QTimer m_attention; ///< coalesces scrolling and resizing
    BoardQuery m_query;
    qint64 m_total = 0;
    Handle m_selected = noHandle;
    bool m_active = false;
    bool m_restoring = false;
    bool m_widthsByHand = false; ///< a person has moved the line between table and pane
};

} // namespace lk
