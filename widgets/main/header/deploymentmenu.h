// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/opensessions.h"
#include "widgets/dialogs/helpdialog.h"

#include <QObject>
#include <QPointer>

class QAction;
class QMainWindow;
class QMenu;

namespace lk {

class Session;

/// The menu of the open deployments, and its keys: each switches to one, none does anything to it.
/// Child of the window. GUI thread.
class DeploymentMenu final : public QObject
{
    Q_OBJECT

public:
    explicit DeploymentMenu(QMainWindow* window);

    void setSessions(OpenSessions* sessions); ///< not owned
    QList<KeyHint> keys() const;

signals:
    void wanted(lk::Session* session);
    void closeWanted(lk::Session* session);
    void overviewWanted();

private:
    void update();

    QPointer<OpenSessions> m_sessions;
    QMenu* m_menu;
    QAction* m_overview;
    QAction* m_close;
    QList<QAction*> m_places; ///< those that have a key, in their order
};

} // namespace lk
