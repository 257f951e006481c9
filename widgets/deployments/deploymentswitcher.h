// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/opensessions.h"

#include <QPointer>
#include <QWidget>

class QHBoxLayout;
class QMenu;
class QToolButton;

namespace lk {

class DeploymentButton;
class Session;

/// Above the header while several deployments are open: a button for each, and a menu with all of
/// them where there is no room for each.
class DeploymentSwitcher final : public QWidget
{
    Q_OBJECT

public:
    static constexpr int mostKeys = 9;

    explicit DeploymentSwitcher(QWidget* parent = nullptr);

    void setSessions(OpenSessions* sessions); ///< not owned; outlives this
    void setOverviewShown(bool shown);
    /// Returns the shortcut of the deployment at that place, from 0. Empty if it has none.
    static QKeySequence key(int place);

signals:
    void wanted(lk::Session* session);
    void closeWanted(lk::Session* session);
    void overviewWanted(); ///< the overview over all deployments

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    void fit();
    void fillMenu();

    QPointer<OpenSessions> m_sessions;
    QList<DeploymentButton*> m_buttons;
    QHBoxLayout* m_layout;
    QToolButton* m_overview;
    QToolButton* m_more;
    QMenu* m_menu;
};

} // namespace lk
