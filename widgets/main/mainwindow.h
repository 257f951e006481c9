// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"
#include "widgets/board/boardtarget.h"
#include "widgets/dialogs/helpdialog.h"
#include "widgets/theme/theme.h"

#include <QMainWindow>
#include <QPointer>
#include <QVariantMap>

class QStackedWidget;

namespace lk {

class Board;
class ConnectionBanner;
class DeploymentMenu;
class DeploymentsPage;
class DeploymentSwitcher;
class NavigationBar;
class OpenSessions;
class PinnedRows;
class SessionHeader;
class StatusLine;
class TimeBar;
class TimeTravel;
class WindowMenus;
class WriteModeFrame;

/// The console's window: the boards by their navigation bar, the one in front, the session's header
/// and status. Shows the session it is given; opens none itself. Knows boards by their interface
/// alone: makeBoards() lists them. GUI thread.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);

    /// Sets the sessions to switch between. Not owned; outlives the window's use of it.
    void setOpenSessions(OpenSessions* sessions);
    /// The one in front. Null: no server. Not owned.
    void setSession(Session* session);
    Session* session() const { return m_session; }
    /// The session that the boards show: the live one, or its past.
    Session* shownSession() const;
    TimeTravel& timeTravel() { return *m_travel; }
    /// Shown across the top until it is set to an empty text.
    void setNotice(const QString& text);
    void setThemeChoice(ThemeChoice choice);

    /// The boards in their order; owned by the window. Find one by class with findChildren().
    const std::vector<Board*>& boards() const { return m_boards; }
    int boardCount() const { return int(m_boards.size()); }
    QString boardTitle(int board) const;
    void showBoard(int board);
    int currentBoard() const;
    /// The place of the board that shows it; -1: none does.
    int boardFor(const BoardTarget& target) const;
    void open(const BoardTarget& target);
    QList<KeyHint> keys() const;

    /// The user's arrangement of the window and the boards for this session's deployment, and the
    /// pinned primitives: plain values, never a secret.
    QVariantMap viewState() const;
    /// Restores a state. Entries that are missing get their defaults, except the window's place,
    /// its theme and the board in front, which stay.
    void setViewState(const QVariantMap& state);

public slots:
    void showHelp();
    void showSearch();
    void showDeployments(); ///< the overview over all, while there are several

signals:
    void deploymentWanted(lk::Session* session); ///< in front
    void closeWanted(lk::Session* session);
    void connectWanted();
    void demoWanted();
    void passwordWanted();
    void masterWanted(const QString& endpoint); ///< the master of the replica in front
    void themeChosen(lk::ThemeChoice choice);   ///< by the user
    /// The deployment has a theme of its own.
    void themeRestored(lk::ThemeChoice choice);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    Board* current() const;
    bool isOverAll() const;
    void leaveOverview();
    void openThere(qint64 tMs);
    void openIn(Session* session, const BoardTarget& target);
    void updateActive();
    void updateWriteMode();
    void showSession(Session* shown);
    void connectSession();
    void buildNext();

    QPointer<Session> m_session;
    const std::vector<Board*> m_boards; ///< owned by m_pages, in the same places
    NavigationBar* m_navigation;
    DeploymentSwitcher* m_switcher;
    DeploymentsPage* m_deployments;
    SessionHeader* m_header;
    ConnectionBanner* m_banner;
    QStackedWidget* m_pages;
    QStackedWidget* m_places; ///< the boards, or the overview over all deployments
    TimeBar* m_timeBar;
    StatusLine* m_status;
    TimeTravel* m_travel;
    MomentTarget m_wantedThere; ///< selected once its moment is shown
    WriteModeFrame* m_frame;
    WindowMenus* m_menus;
    DeploymentMenu* m_deploymentMenu;
    QPointer<OpenSessions> m_open;
    PinnedRows* m_pinned;
    std::optional<ThemeChoice> m_theme; ///< chosen for this deployment
};

} // namespace lk
