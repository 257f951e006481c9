// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"
#include "backend/session/sessionpolling.h"
#include "widgets/board/board.h"
#include "widgets/dialogs/helpdialog.h"
#include "widgets/theme/theme.h"

#include <QMainWindow>
#include <QPointer>

namespace lk {

/// The menus of the console's window, and all its keys. Commands for the session run directly;
/// signals report the others. Child of the window. GUI thread.
class WindowMenus final : public QObject
{
    Q_OBJECT

public:
    WindowMenus(const std::vector<Board*>& boards, QMainWindow* window);

    void setSession(Session* session);
    void setCurrentBoard(const Board* board); ///< enables the commands of this board; null: none
    void setThemeChoice(ThemeChoice choice);
    void setCanTravel(bool can); ///< there is a recording
    void setPast(bool past);     ///< nothing is done to the server from there
    /// Nothing if the user never chose one.
    std::optional<ScanPace> scanPace() const { return m_pace; }
    void setScanPace(std::optional<ScanPace> pace);
    /// Bytes; 0: no limit. Nothing if the user never chose one.
    std::optional<qint64> memoryLimit() const { return m_memoryLimit; }
    void setMemoryLimit(std::optional<qint64> bytes);
    const QList<KeyHint>& keys() const { return m_keys; }
    /// The commands of the menus, without the search.
    QList<QAction*> commands() const;

    /// Returns the shortcut of the board at that place, from 0. Empty if it has none.
    static QKeySequence boardKey(int place);

signals:
    void connectWanted();
    void demoWanted();
    void writeModeWanted();
    void helpWanted();
    void searchWanted();
    void timeWanted();
    void eventWanted(bool next);
    void liveWanted();
    void boardWanted(int place);
    void commandWanted(lk::BoardCommand command); ///< for the board in front
    void themeChosen(lk::ThemeChoice choice);

private:
    QAction* add(QMenu* menu, const QString& group, const QString& text, const QKeySequence& key);
    void addServerMenu();
    void addPaceMenu(QMenu* menu);
    void askMemoryLimit();
    void addBoardsMenu(const std::vector<Board*>& boards);
    void addTimeMenu();
    void addViewMenu();
    void addHelpMenu();
    void updateUndo();

    QMainWindow* m_window;
    QPointer<Session> m_session;
    QList<KeyHint> m_keys;
    QAction* m_writeMode = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_search = nullptr;
    QList<QAction*> m_travel; ///< need a recording
    QAction* m_live = nullptr;
    QAction* m_recording = nullptr; ///< its settings
    bool m_past = false;
    QHash<BoardCommand, QAction*> m_commands;
    QHash<ThemeChoice, QAction*> m_themes;
    std::optional<ScanPace> m_pace;
    std::optional<qint64> m_memoryLimit;
    QHash<ScanPace, QAction*> m_paces;
};

} // namespace lk
