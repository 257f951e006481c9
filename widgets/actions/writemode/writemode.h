// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"

#include <QPointer>
#include <QTimer>
#include <QToolButton>

class QMenu;

namespace lk {

/// Ways to turn on write mode, one for each length of time. On production the name is asked first,
/// over the window.
void addWriteModeTo(QMenu* menu, Session* session, QWidget* window);

/// Says whether the session can write, and for how long yet; its menu turns it on and off.
class WriteModeButton final : public QToolButton
{
    Q_OBJECT

public:
    explicit WriteModeButton(QWidget* parent = nullptr);

    void setSession(Session* session);
    /// The window shows a moment of the past: the button says so, cannot be pressed, and does not
    /// count down.
    void setPast(bool past);

signals:
    /// The one that a replica has, where actions run: "10.0.0.1:6379".
    void masterWanted(const QString& endpoint);

private:
    void refresh();
    void fillMenu();

    QPointer<Session> m_session;
    QMenu* m_menu;
    QTimer m_second;
    bool m_past = false;
    int m_dressed = -1; ///< the state and theme that the icon and colour are of
};

} // namespace lk
