// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "backend/session/session.h"
#include "widgets/notify/alerttray.h"
#include "widgets/notify/desktopnotifier.h"

#include <QThread>

namespace lk {

/// What the console does with alerts besides showing them in its window: the thread that raises
/// them, the desktop's notifications, the tray. Lives in the GUI thread; ends after the sessions.
class Alerting final : public QObject
{
    Q_OBJECT

public:
    Alerting();
    ~Alerting() override;

    QThread* thread() { return &m_thread; } ///< for Session::Setup::alertThread
    /// Before it is started; until it ends.
    void follow(Session& session);
    /// What the tray tells: unattended alerts, and of which deployments; of all that are followed
    /// where there are none.
    struct OverAll
    {
        Alerts::Count count;
        QStringList names;
    };
    OverAll overAll() const;

signals:
    /// A person asks for them; an empty alert: for all of that deployment.
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
