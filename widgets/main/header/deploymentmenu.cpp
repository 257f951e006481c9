// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/main/header/deploymentmenu.h"

#include "backend/session/session.h"
#include "widgets/deployments/deploymentstatus.h"
#include "widgets/deployments/deploymentswitcher.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace lk {

DeploymentMenu::DeploymentMenu(QMainWindow* window)
    : QObject(window)
    , m_menu(new QMenu(tr("&Deployments"), window->menuBar()))
    , m_overview(m_menu->addAction(tr("&Overview of all deployments")))
    , m_close(m_menu->addAction(tr("&Close this deployment")))
{
    const QList<QAction*> menus = window->menuBar()->actions();
    window->menuBar()->insertMenu(menus.value(1), m_menu); // beside that of the server
    m_overview->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_0);
    m_close->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_W);
    m_menu->addSeparator();
    connect(m_overview, &QAction::triggered, this, &DeploymentMenu::overviewWanted);
    connect(m_close, &QAction::triggered, this, [this] {
        if (m_sessions && m_sessions->front())
            emit closeWanted(m_sessions->front());
    });
    for (int place = 0; place < DeploymentSwitcher::mostKeys; ++place) {
        QAction* action = m_menu->addAction(QString());
        action->setShortcut(DeploymentSwitcher::key(place));
        m_places.append(action);
        connect(action, &QAction::triggered, this, [this, place] {
            if (Session* session = m_sessions ? m_sessions->at(place) : nullptr)
                emit wanted(session);
        });
    }
    update();
}

void DeploymentMenu::setSessions(OpenSessions* sessions)
{
    m_sessions = sessions;
    connect(sessions, &OpenSessions::changed, this, &DeploymentMenu::update);
    update();
}

void DeploymentMenu::update()
{
    const int count = m_sessions ? m_sessions->count() : 0;
    m_overview->setEnabled(count > 1);
    m_close->setEnabled(count > 0);
    for (int place = 0; place < int(m_places.size()); ++place) {
        QAction* action = m_places[place];
        const Session* session = place < count ? m_sessions->at(place) : nullptr;
        action->setVisible(session);
        action->setEnabled(session);
        QString name = session ? session->title() : QString();
        action->setText(name.replace(QLatin1Char('&'), QStringLiteral("&&")));
        action->setCheckable(true);
        action->setChecked(session && session == m_sessions->front());
    }
}

QList<KeyHint> DeploymentMenu::keys() const
{
    const QString group = tr("Deployments");
    const auto text = [](const QKeySequence& key) {
        return key.toString(QKeySequence::NativeText);
    };
    return {
        {group,
         {},
         tr("Switch to a deployment"),
         tr("%1 to %2").arg(text(m_places.front()->shortcut()), text(m_places.back()->shortcut()))},
        {group, m_overview->shortcut(), tr("Overview of all deployments")},
        {group, m_close->shortcut(), tr("Close this deployment")}};
}

} // namespace lk
