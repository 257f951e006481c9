// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "backend/alerts/alertrule.h"
#include "backend/history/recorded.h"

#include <QObject>

namespace lk {

class AlertKeeper;
class Session;

/// The alerts of a session as the widgets see them: open and past alerts arrive, requests go out.
/// Passes the session's signals to an AlertKeeper in the alerts' thread, and ends that when it is
/// destroyed. Lives in the session's thread and is its child. Never blocks.
class SessionAlerts final : public QObject
{
    Q_OBJECT

public:
    /// file, thread: as in Session::Setup.
    SessionAlerts(Session& session, const QString& file, QThread* thread);
    ~SessionAlerts() override;

    void start();

    const AlertsPtr& alerts() const { return m_alerts; } ///< never null
    const AlertSettings& settings() const;
    /// The names of all targets that can be tested: the declared ones, and the desktop.
    QByteArrayList targets() const;
    /// From now on emits desktopWanted() for desktop notifications. Answer each by
    /// desktopAnswered(). Call it before start().
    void showOnDesktop() { m_desktop = true; }
    /// Restores the recorded holds of its locks, oldest first. They show how long each lock is
    /// usually held.
    void restoreHolds(const std::vector<RecordedHold>& holds);
    /// Returns the primitive of the alert; noHandle if it does not exist (any more). Searches all
    /// primitives.
    Handle handleOf(const Alert& alert) const;

public slots:
    void acknowledge(const QByteArrayList& ids);
    /// Adds a silence. Fills in the operator.
    void silence(const lk::Silence& silence);
    void endSilence(qint64 id);
    /// Sends a real test notification; tested() returns the result.
    void test(const QByteArray& target);
    /// Reports the result of desktopWanted() by the notification's id; an empty problem means that
    /// it is shown. Ignores notifications of another session.
    void desktopAnswered(const QByteArray& id, const QString& problem);
    void applySettings(); ///< call it after the session's configuration has changed

signals:
    void changed();
    /// Raised by this program.
    void happened(const std::vector<lk::AlertEvent>& events);
    void acknowledged(const QByteArrayList& ids, const QString& by);
    void silenced(const lk::Silence& silence);
    void silenceEnded(const lk::Silence& silence, const QString& by); ///< ended before its time
    void desktopWanted(const QByteArray& json);
    void tested(const QByteArray& target, const QString& problem);

private:
    void connectSession();
    void identify();
    void sendServer();
    void sendLive();

    Session& m_session;
    AlertKeeper* m_keeper = nullptr; ///< lives in the alerts' thread; null before start()
    QString m_file;
    QThread* m_thread;
    AlertsPtr m_alerts = std::make_shared<Alerts>();
    QStringList m_names; ///< the deployment's names known so far
    int m_reports = 0;   ///< reports since it connected
    bool m_desktop = false;
    bool m_wasReady = false;
};

/// Returns the operator at this machine for the audit trail: "ann@host".
QString operatorName();

} // namespace lk
