// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/secrets/secretstore.h"
#include "backend/session/session.h"
#include "widgets/dialogs/connectionchoice.h"

#include <QPointer>
#include <QVariantMap>

#include <memory>

class QWidget;

namespace lk {

class Clock;
class DeclaredRedlocks;
class Demo;
class RecentServers;
class Recording;

/// One open deployment of a console: its session, how it was chosen, its login, and how its boards
/// were arranged when they were last in front. GUI thread.
class Deployment final : public QObject
{
    Q_OBJECT

public:
    /// Services that all deployments of a console share; outlive them.
    struct Services
    {
        SecretStore& secrets;
        RecentServers& recent;
        QWidget& window; ///< dialogs stand over it
    };

    /// Does not start the session. demo: the demo that runs its server; may be null.
    Deployment(ConnectionChoice choice, Session::Setup setup, Services services,
               std::unique_ptr<Demo> demo = nullptr);
    ~Deployment() override;

    /// Sets the clock, which outlives this, and the file for recording its session.
    void setRecording(const Clock& clock, const QString& path);
    /// Starts or stops recording. Existing recordings, by any program, can be shown in both cases.
    void record(bool on);

    Session& session() const { return *m_session; }
    const ConnectionChoice& choice() const { return m_choice; }
    bool isDemo() const { return m_demo != nullptr; }
    /// True once the server has answered: an address that never answered is no deployment.
    bool hasAnswered() const { return m_answered; }
    /// The server wants another login than it got, and no keyring is being asked for it.
    bool needsLogin() const { return m_needsLogin; }
    void askForPassword(); ///< once: nothing while the dialog is open

    /// The text across the window's top while this is in front.
    const QString& notice() const { return m_notice; }
    void setNotice(const QString& text);

    std::optional<QVariantMap> view = {}; ///< empty if it never was in front

signals:
    void noticeChanged();
    void loginNeeded();

private:
    void onStatus(const ConnectionStatus& status);
    void applyConfig();
    void useKeyring(bool ofSentinel);
    void setPassword(const QString& user, const QString& password, bool remember);
    void setSentinelPassword(const QString& user, const QString& password, bool remember);
    void rememberServer();

    ConnectionChoice m_choice;
    const Services m_services;
    std::unique_ptr<Demo> m_demo; ///< ends after its session
    std::unique_ptr<Session> m_session;
    std::unique_ptr<DeclaredRedlocks> m_redlocks; ///< the session's; ends before it
    const Clock* m_clock = nullptr;
    QString m_recordingPath;
    std::unique_ptr<Recording> m_recording; ///< the session's; ends before it; may be null
    QString m_notice;
    QPointer<QWidget> m_passwordDialog;
    bool m_answered = false;
    bool m_needsLogin = false;
    bool m_keyringAsked = false;
    bool m_sentinelKeyringAsked = false;
    bool m_keepsSentinelPassword = false; ///< stores it in the keyring
};

} // namespace lk
