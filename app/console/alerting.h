// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "backend/session/session.h"
#include "widgets/notify/alerttray.h"
#include "widgets/notify/desktopnotifier.h"

#include <QThread>

namespace lk {

/// Handles alerts outside of the console's window: the thread that raises them, the desktop's
/// notifications, the tray. Lives in the GUI thread; ends after the sessions.
class Alerting final : public QObject
{
    Q_OBJECT

public:
    Alerting();
    ~Alerting() override;

    QThread* thread() { return &m_thread; } ///< for Session::Setup::alertThread
    /// Called before the session is started; lasts until it ends.
    void follow(Session& session);
    /// The tray's content: the number of unattended alerts and the names of their deployments, or
    /// of all followed deployments if there is no such alert.
    struct OverAll
    {
        Alerts::Count count;
        QStringList names;
    };
    OverAll overAll() const;

signals:
    /// The user wants to see an alert, or all alerts of that deployment if it is empty.
    void wanted(lk::Session* session, const QByteArray& alert);

private:
    void update();
    void find(const QByteArray& alert);

    QThread m_thread;
    std::vector<Session*> m_sessions; ///< those that raise alerts
    DesktopNotifier m_notifier;
    AlertTray m_tray;
};

} // namespace lk
