// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"
#include "widgets/redlock/redlockmodel.h"

#include <QObject>
#include <QPointer>

class QStackedWidget;

namespace lk {

class RedlockDetail;
class RedlockList;
class Redlocks;

/// The part of the lock board for declared groups of servers: their locks above the board's rows,
/// and their pane in place of the board's own while one of them is selected. The locks are read
/// while the board is on screen. Child of the board. GUI thread.
class RedlockPane final : public QObject
{
    Q_OBJECT

public:
    /// Takes the board's own pane.
    RedlockPane(QWidget* pane, QWidget* board);

    QWidget* list() const; ///< for the board to place
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

private:
    void watch();
    void refresh();
    void choose(const RedlockId& id);
    void showDetail();
    void release(const QByteArray& owner);
    QString whyNot() const;

    QWidget* m_board;
    RedlockList* m_list;
    RedlockDetail* m_detail;
    QStackedWidget* m_pane;
    QPointer<Session> m_session;
    QPointer<Redlocks> m_redlocks;
    std::optional<RedlockId> m_selected;
    QString m_filter;
    bool m_active = false;
};

} // namespace lk
