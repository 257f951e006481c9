// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "backend/alerts/alertrule.h"
#include "backend/history/recorded.h"

#include <QObject>

namespace lk {

class AlertKeeper;
class Session;

/// The alerts of a session as the widgets see them: what is open and past arrives, requests go out.
/// Gives what the session hears to an AlertKeeper in the alerts' thread, and ends it when it is
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
    /// Notifications for the desktop come to desktopWanted() from now on, and desktopAnswered() is
    /// to answer each. Before start().
    void showOnDesktop() { m_desktop = true; }
    /// What was recorded of its locks, the oldest first: tells for how long each is usually held.
    void restoreHolds(const std::vector<RecordedHold>& holds);
    /// The primitive that the alert concerns; noHandle: it is not there (any more). Looks through
    /// all.
    Handle handleOf(const Alert& alert) const;

public slots:
    void acknowledge(const QByteArrayList& ids);
    /// By whom is filled in.
    void silence(const lk::Silence& silence);
    void endSilence(qint64 id);
    /// Really sends; tested() brings what came of it.
    void test(const QByteArray& target);
    /// What came of desktopWanted(): by the notification's id; empty: it is shown. Of another
    /// session's it does nothing.
    void desktopAnswered(const QByteArray& id, const QString& problem);
    void applySettings(); ///< the session's configuration is another now

signals:
    void changed();
    /// Raised by this program.
    void happened(const std::vector<lk::AlertEvent>& events);
    void acknowledged(const QByteArrayList& ids, const QString& by);
    void silenced(const lk::Silence& silence);
    void silenceEnded(const lk::Silence& silence, const QString& by); ///< before it was over
    void desktopWanted(const QByteArray& json);
    void tested(const QByteArray& target, const QString& problem);

private:
    void connectSession();
    void identify();
    void sendServer();
    void sendLive();
    template<typename Function> void ask(Function function);

    Session& m_session;
    AlertKeeper* m_keeper = nullptr; ///< lives in the alerts' thread; null before start()
    QString m_file;
    QThread* m_thread;
    AlertsPtr m_alerts = std::make_shared<Alerts>();
    QStringList m_names; ///< of the deployment, as far as they were told
    int m_reports = 0;   ///< since it is connected
    bool m_desktop = false;
    bool m_wasReady = false;
};

/// Who sits at this machine, for what a person is held to: "ann@host".
QString operatorName();

} // namespace lk
