// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"
#include "widgets/board/boardbadge.h"
#include "widgets/board/boardtarget.h"

#include <QHash>
#include <QPointer>
#include <QVariantMap>
#include <QWidget>

#include <functional>

namespace lk {

/// A command from the window's menu to the board in front.
enum class BoardCommand : quint8 {
    FocusFilter,
    Pin,
    RevealCode,
    Act,
    WhatHappened,
    CopyRows,
    SaveTable,
};

/// One screen of the console's window. The window owns it, shows one at a time and knows no more of
/// it than this; a new one is a class that derives from this and a line in makeBoards(). GUI
/// thread.
class Board : public QWidget
{
    Q_OBJECT

public:
    /// The names of a board, for the program and for the user.
    struct Names
    {
        QString id;       ///< in settings: never translated, never changed
        QString title;    ///< translated
        QString iconName; ///< from the console's own icons
    };

    explicit Board(Names names, QWidget* parent = nullptr);

    const QString& id() const { return m_names.id; }
    const QString& title() const { return m_names.title; }
    const QString& iconName() const { return m_names.iconName; }
    virtual BoardBadge badge() const { return {}; }

    /// Builds the board's contents if that was put off (see build()). Called before the board comes
    /// to the front, or is asked for anything but its names. Once the window is on screen, it
    /// builds all boards, one at a time.
    void ensureBuilt();
    bool isBuilt() const { return m_built; }

    /// Null: no server. Not owned; may be destroyed first.
    void setSession(Session* session);
    /// On screen: in front, in a window that can be seen. Only this board asks for data, so that
    /// nothing is polled for the others.
    void setActive(bool active);
    bool isActive() const { return m_active; }

    bool offers(BoardCommand command) const { return m_commands.contains(command); }
    void run(BoardCommand command); ///< does nothing if it is not offered

    /// Returns true if this board shows that target.
    virtual bool shows(const BoardTarget&) const { return false; }
    virtual void open(const BoardTarget&) {}
    /// Selects the first row if nothing is selected.
    virtual void selectFirst() {}

    /// The user's arrangement of the board: plain values, by names that are not translated, without
    /// data of the server. Empty if nothing differs from the defaults.
    QVariantMap viewState() const { return m_built ? arrangement() : m_kept; }
    /// Restores a state. Entries that are missing get their defaults.
    void setViewState(const QVariantMap& state);

signals:
    void badgeChanged();
    void wanted(const lk::BoardTarget& target); ///< the window brings it to the front

protected:
    /// For constructors and build().
    void offer(BoardCommand command, std::function<void()> action);
    /// The session has changed: connect to its signals. Those of the last session are disconnected.
    virtual void sessionChanged() = 0;
    /// For sessionChanged(): it is the same deployment at another time, and the same primitives
    /// have the same handles.
    bool isSameDeployment() const { return m_same; }
    virtual void activeChanged() = 0;
    virtual QVariantMap arrangement() const { return {}; } ///< for viewState()
    virtual void arrange(const QVariantMap&) {}            ///< for setViewState()

    /// For the constructor of a board of many parts: build() makes them, so that the window appears
    /// without them. Until then none of the functions above is called.
    void buildLater() { m_built = false; }
    virtual void build() {}

    QPointer<Session> m_session;

private:
    const Names m_names;
    QHash<BoardCommand, std::function<void()>> m_commands;
    QPointer<Session> m_live; ///< the live session of the last session
    bool m_same = false;
    bool m_active = false;
    bool m_built = true;
    QVariantMap m_kept; ///< the arrangement for when it is built
};

} // namespace lk
