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

/// What the window's menu asks of the board in front.
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
    /// What the program and people call it.
    struct Names
    {
        QString id;       ///< in settings: never translated, never changed
        QString title;    ///< translated
        QString iconName; ///< of our own set
    };

    explicit Board(Names names, QWidget* parent = nullptr);

    const QString& id() const { return m_names.id; }
    const QString& title() const { return m_names.title; }
    const QString& iconName() const { return m_names.iconName; }
    virtual BoardBadge badge() const { return {}; }

    /// Makes what it shows, where that is put off until it is needed (see build()): before it comes
    /// to the front, or is asked for anything but its names. The window does it for all boards once
    /// it is on screen itself, one at a time.
    void ensureBuilt();
    bool isBuilt() const { return m_built; }

    /// Null: no server. Not owned; may be destroyed first.
    void setSession(Session* session);
    /// On screen: in front, in a window that can be seen. Only this board asks for data, so that
    /// nothing is polled for the others.
    void setActive(bool active);
    bool isActive() const { return m_active; }

    bool offers(BoardCommand command) const { return m_commands.contains(command); }
    void run(BoardCommand command); ///< nothing where it is not offered

    /// Whether this is the board to see that on.
    virtual bool shows(const BoardTarget&) const { return false; }
    virtual void open(const BoardTarget&) {}
    /// The row that is first, where nothing is selected.
    virtual void selectFirst() {}

    /// How a person arranged it: plain values, by names that are not translated, without data of
    /// the server. Empty: nothing differs from the defaults.
    QVariantMap viewState() const { return m_built ? arrangement() : m_kept; }
    /// What the state does not have goes back to its default.
    void setViewState(const QVariantMap& state);

signals:
    void badgeChanged();
    void wanted(const lk::BoardTarget& target); ///< the window brings it to the front

protected:
    /// For constructors and build().
    void offer(BoardCommand command, std::function<void()> action);
    /// It is another now: connect to its signals. Those of the one before are disconnected.
    virtual void sessionChanged() = 0;
    /// For sessionChanged(): it is the same deployment at another time, and the same primitives
    /// have the same handles.
    bool isSameDeployment() const { return m_same; }
    virtual void activeChanged() = 0;
    virtual QVariantMap arrangement() const { return {}; } ///< for viewState()
    virtual void arrange(const QVariantMap&) {}            ///< for setViewState()

    /// For the constructor of a board of many parts: they are made by build(), so that the window
    /// is there without them. Until then none of the functions above is called.
    void buildLater() { m_built = false; }
    virtual void build() {}

    QPointer<Session> m_session;

private:
    const Names m_names;
    QHash<BoardCommand, std::function<void()>> m_commands;
    QPointer<Session> m_live; ///< of the last session
    bool m_same = false;
    bool m_active = false;
    bool m_built = true;
    QVariantMap m_kept; ///< how it is to be arranged once it is built
};

} // namespace lk
