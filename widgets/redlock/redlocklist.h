// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"
#include "widgets/redlock/redlockmodel.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QStackedWidget;
class QTableView;

namespace lk {

class RedlockDetail;
class Redlocks;
class TableArrangement;

/// The part of the lock board for declared groups of servers: a title, the problems of a group and
/// a row for each lock, above the board's own rows, and a pane in place of the board's own while
/// one of the locks is selected. The locks are read while the board is on screen. Hidden if no
/// group is declared.
class RedlockList final : public QWidget
{
    Q_OBJECT

public:
    /// Takes the board's own pane.
    RedlockList(QWidget* pane, QWidget* board);

    QWidget* pane() const; ///< in the place of the board's own

    void setSession(Session* session);
    void setActive(bool active);
    void setFilter(const QString& text);
    /// A row of the board is selected instead.
    void leave();
    /// Plans the release of the selected lock. False: none is.
    bool act();

signals:
    void taken(); ///< one of these is selected instead of the board's rows

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildTable();
    void watch();
    void refresh();
    void choose();
    RedlockReportPtr selectedReport() const; ///< null if no lock is selected, or none was read
    void showDetail();
    void release(const QByteArray& owner);
    int widthOf(int column) const;
    void fit();

    QWidget* m_board;
    RedlockModel* m_model;
    QLabel* m_title;
    QLabel* m_note;
    QTableView* m_table;
    TableArrangement* m_arrangement = nullptr;
    RedlockDetail* m_detail;
    QStackedWidget* m_pane;
    QPointer<Session> m_session;
    QPointer<Redlocks> m_redlocks;
    std::optional<RedlockId> m_selected;
    QString m_filter;
    bool m_active = false;
    bool m_restoring = false;
};

} // namespace lk
