// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"
#include "backend/session/sessionsearch.h"
#include "widgets/board/boardtarget.h"

#include <QDialog>
#include <QPointer>
#include <QTimer>

class QAction;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QStackedLayout;

namespace lk {

class EmptyState;
class FlatTable;
class InlineMessage;
class SearchModel;

/// One field for everything: primitives of all kinds by name, key, owner, client or job, and the
/// commands of the window's menus. For an identity it shows which limiters refuse it and when they
/// let it pass again. The results are kept up to date while the dialog is open.
class SearchDialog final : public QDialog
{
    Q_OBJECT

public:
    /// session may be null: then only commands are found. commands: those of the menus; not owned.
    /// others: the open deployments that are not in front; their contents are found, too.
    SearchDialog(Session* session, const QList<QAction*>& commands, QWidget* parent,
                 const QList<Session*>& others = {});

signals:
    /// A row was opened; the dialog has closed.
    void wanted(const lk::BoardTarget& target);
    /// The same for a row of another deployment.
    void wantedIn(lk::Session* session, const lk::BoardTarget& target);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void ask();
    void take(const SearchResultsPtr& results);
    void listenToOthers();
    void takeJobs(const JobsByIdPtr& jobs);
    static StatePtr undeclaredIn(const SearchResults& results);
    void tellVerdict(const SearchResults& results);
    void declare();
    void updateCounts(const SearchResults* results);
    void searchOthers(const QString& text);
    void updateButtons();
    void selectRow(int row);
    void selectIfNone(int row);
    void openCurrent();
    void fillActions();
    void fitColumns();
    std::vector<StatePtr> selectedStates() const;

    QPointer<Session> m_session;
    QList<QPointer<Session>> m_others;
    const QList<QAction*> m_commands;
    QLineEdit* m_field;
    InlineMessage* m_verdict;
    QPushButton* m_declare;
    StatePtr m_undeclared; ///< a limiter to declare for a verdict; null: none is needed or possible
    SearchModel* m_model;
    FlatTable* m_table;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    QLabel* m_counts;
    QPushButton* m_open;
    QPushButton* m_act;
    QMenu* m_actMenu;
    QTimer m_again; ///< while something is found: it changes
    QTimer m_typed; ///< queues are asked for a job shortly after the last key
};

} // namespace lk
