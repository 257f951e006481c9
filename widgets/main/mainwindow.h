// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/session/session.h"
#include "widgets/dialogs/helpdialog.h"
#include "widgets/theme/theme.h"

#include <QMainWindow>
#include <QPointer>

class QStackedWidget;

namespace lk {

class WriteModeFrame;
class BoardPage;
class NavigationBar;
class ConnectionBanner;
class FindingsPage;
class JournalPage;
class OverviewPage;
class ServerPage;
class SessionHeader;
class StatusLine;

/// The console's window: the rail of boards, the board in front, the session's header and status.
/// Shows the session it is given; opens none itself.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);

    /// Null: no server. Not owned.
    void setSession(Session* session);
    Session* session() const { return m_session; }
    /// Shown across the top until it is set to an empty text.
    void setNotice(const QString& text);
    void setThemeChoice(ThemeChoice choice);

    int boardCount() const;
    QString boardTitle(int board) const;
    void showBoard(int board);
    int currentBoard() const;
    int boardOf(Kind kind) const; ///< -1: none
    /// Null for boards without a table.
    BoardPage* boardPage(int board) const;
    /// What is selected on the board in front; empty where nothing is.
    FindingsPage* findingsPage() const { return m_findings; }
    JournalPage* journalPage() const { return m_journal; }
    QList<KeyHint> keys() const { return m_keys; }

public slots:
    void showHelp();

signals:
    void connectWanted();
    void demoWanted();
    void passwordWanted();
    void themeChosen(lk::ThemeChoice choice);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    struct Board
    {
        QString title;
        QWidget* page;
        BoardPage* table; ///< null for overview, findings, server and journal
        int railId;
    };

    void addBoards();
    void addMenus();
    QAction* addKey(QMenu* menu, const QString& group, const QString& text,
                    const QKeySequence& shortcut);
    void addThemeMenu(QMenu* menu);
    void updateAttention();
    void updateRail();
    void updateFindings();
    void goToFinding(quint64 id);
    int boardOf(const QWidget* page) const;
    void updateArmed();
    void updateUndo();
    void goTo(Kind kind, Handle handle);

    QPointer<Session> m_session;
    NavigationBar* m_rail;
    SessionHeader* m_header;
    ConnectionBanner* m_banner;
    QStackedWidget* m_pages;
    StatusLine* m_status;
    OverviewPage* m_overview;
    FindingsPage* m_findings;
    ServerPage* m_server;
    JournalPage* m_journal;
    WriteModeFrame* m_frame;
    std::vector<Board> m_boards;
    QList<KeyHint> m_keys;
    QAction* m_undo = nullptr;
    std::vector<QAction*> m_themeActions;
};

} // namespace lk
