// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/findings/livefindings.h"
#include "backend/session/session.h"

#include <QPointer>
#include <QWidget>

class QCheckBox;
class QLabel;
class QStackedLayout;
class QTableView;
class QToolButton;

namespace lk {

class EmptyState;
class FilterBar;
class FindingDetail;
class FindingModel;

/// The board of hazards: all that the rules see in the session's data, worst first. While the
/// pointer is over the table its rows stand still.
class FindingsPage final : public QWidget
{
    Q_OBJECT

public:
    explicit FindingsPage(QWidget* parent = nullptr);

    void setSession(Session* session);
    /// Only the page that is in front is kept up to date.
    void setActive(bool active);
    void select(quint64 id);
    void selectFirst(); ///< unless something is selected
    void focusFilter();
    void exportCsv();
    void copySelection();
    void mend(); ///< opens the step that mends the selected one

    QTableView* table() const { return m_table; }

signals:
    void chosen(lk::Kind kind, lk::Handle handle);
    /// Several that a rule saw together, by what their names have in common.
    void severalChosen(lk::Kind kind, const QString& filter);
    void serverChosen(); ///< a finding of the server itself

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildTable();
    void buildBar();
    QWidget* buildFoot();
    void fitColumns();
    void refresh();
    void applyFilter();
    void updateCounts();
    void updateEmptyState();
    void updateIcons();
    void restoreSelection();
    void showDetail();
    void onSelectionChanged();
    void mendIt(quint64 id);
    void silence(const LiveFindingPtr& live);
    void goToObject(quint64 id);
    void showMenu(const QPoint& position);

    QPointer<Session> m_session;
    FindingModel* m_model;
    FilterBar* m_filter;
    QTableView* m_table;
    QToolButton* m_export = nullptr;
    EmptyState* m_empty;
    QStackedLayout* m_stack;
    FindingDetail* m_detail;
    QLabel* m_note = nullptr;
    QCheckBox* m_silenced = nullptr;
    quint64 m_selected = 0;
    bool m_active = false;
    bool m_restoring = false;
};

} // namespace lk
