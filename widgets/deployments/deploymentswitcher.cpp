// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/deployments/deploymentswitcher.h"

#include "widgets/deployments/deploymentbutton.h"
#include "widgets/theme/accessiblerole.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/theme.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

namespace lk {

DeploymentSwitcher::DeploymentSwitcher(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QHBoxLayout(this))
    , m_overview(new QToolButton)
    , m_more(new QToolButton)
    , m_menu(new QMenu(this))
{
    setAccessibleRole(this, QAccessible::PageTabList);
    setAccessibleName(tr("Deployments"));
    m_layout->setContentsMargins(0, 0, 8, 1);
    m_layout->setSpacing(0);
    m_overview->setText(tr("All"));
    m_overview->setAccessibleName(tr("Overview of all deployments"));
    m_overview->setToolTip(tr("Overview of all deployments (Ctrl+Shift+0)"));
    m_overview->setCheckable(true);
    m_overview->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setAccessibleName(tr("List all deployments"));
    m_more->setToolTip(tr("List all deployments"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(m_menu);
    for (QToolButton* button : {m_overview, m_more})
        button->setFocusPolicy(Qt::StrongFocus);
    m_layout->addStretch(1);
    m_layout->addWidget(m_overview);
    m_layout->addWidget(m_more);
    connect(m_overview, &QToolButton::clicked, this, &DeploymentSwitcher::overviewWanted);
    connect(m_menu, &QMenu::aboutToShow, this, &DeploymentSwitcher::fillMenu);
    followPalette(this, [this] {
        m_overview->setIcon(icon(QStringLiteral("overview"), palette()));
        m_more->setIcon(icon(QStringLiteral("chevron-down"), palette()));
    });
    hide();
}

void DeploymentSwitcher::setOverviewShown(bool shown)
{
    m_overview->setChecked(shown);
}

QKeySequence DeploymentSwitcher::key(int place)
{
    return place >= 0 && place < mostKeys
               ? QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key(Qt::Key_1 + place))
               : QKeySequence();
}

void DeploymentSwitcher::setSessions(OpenSessions* sessions)
{
    m_sessions = sessions;
    connect(sessions, &OpenSessions::changed, this, &DeploymentSwitcher::rebuild);
    rebuild();
}

void DeploymentSwitcher::rebuild()
{
    const QList<Session*> all = m_sessions ? m_sessions->all() : QList<Session*>();
    for (qsizetype i = m_buttons.size(); i-- > 0;) {
        if (all.contains(m_buttons[i]->session()))
            continue;
        // Not at once: it may be the one whose click is being answered.
        m_buttons[i]->hide();
        m_layout->removeWidget(m_buttons[i]);
        m_buttons.takeAt(i)->deleteLater();
    }
    for (qsizetype i = 0; i < all.size(); ++i) {
        if (i >= m_buttons.size()) {
            auto* button = new DeploymentButton(all[i]);
            m_buttons.append(button);
            m_layout->insertWidget(int(i), button);
            connect(button, &QAbstractButton::clicked, this,
                    [this, session = all[i]] { emit wanted(session); });
            connect(button, &DeploymentButton::closeWanted, this,
                    [this, session = all[i]] { emit closeWanted(session); });
        }
        m_buttons[i]->setKey(key(int(i)));
        m_buttons[i]->setChecked(all[i] == m_sessions->front());
    }
    setVisible(all.size() > 1);
    fit();
}

// Those that have no room are in the menu alone; the one in front always has some.
void DeploymentSwitcher::fit()
{
    const int others = m_overview->sizeHint().width() + m_more->sizeHint().width() + 16;
    int room = (width() - others) / DeploymentButton::narrowest;
    for (const DeploymentButton* button : m_buttons)
        room -= button->isChecked() ? 1 : 0;
    bool all = true;
    for (DeploymentButton* button : m_buttons) {
        const bool fits = button->isChecked() || room-- > 0;
        button->setVisible(fits);
        all = all && fits;
    }
    m_more->setText(all ? QString() : tr("%n deployment(s)", nullptr, int(m_buttons.size())));
    m_more->setToolButtonStyle(all ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
}

void DeploymentSwitcher::fillMenu()
{
    m_menu->clear();
    for (int place = 0; m_sessions && place < m_sessions->count(); ++place) {
        Session* session = m_sessions->at(place);
        QString text = deploymentText(*session);
        QAction* action = m_menu->addAction(text.replace(QLatin1Char('&'), QStringLiteral("&&")));
        const StatusWord worst = worstFindingWord(*session);
        action->setIcon(icon(worst.iconName, worst.role, palette()));
        action->setCheckable(true);
        action->setChecked(session == m_sessions->front());
        connect(action, &QAction::triggered, this, [this, guard = QPointer<Session>(session)] {
            if (guard)
                emit wanted(guard);
        });
    }
}

void DeploymentSwitcher::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

void DeploymentSwitcher::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), colors.ground);
    painter.fillRect(QRect(0, height() - 1, width(), 1), colors.border);
}

} // namespace lk
