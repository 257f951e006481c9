// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/console/consoleinvocation.h"
#include "backend/core/clock.h"
#include "backend/secrets/secretstore.h"
#include "backend/session/session.h"
#include "widgets/dialogs/connectionchoice.h"
#include "widgets/dialogs/recentservers.h"
#include "widgets/main/deploymentviews.h"
#include "widgets/main/mainwindow.h"
#include "widgets/theme/theme.h"

#include <QSettings>
#include <QThread>

#include <memory>

namespace lk {

class ConnectionDialog;
class DemoServer;
class DemoTraffic;

/// The composition root of the console: makes the threads, the window, the session and the demo,
/// and tells them of each other. All that lives in other threads ends in the destructor.
class Console final : public QObject
{
    Q_OBJECT

public:
    explicit Console(QApplication& app);
    ~Console() override;

    MainWindow& window() { return *m_window; }
    Theme& theme() { return m_theme; }
    Session* session() const { return m_session.get(); }

    /// Opens what the command line asks for; without an address asks the person.
    void start(const ConsoleInvocation& invocation);

signals:
    void sessionOpened();
    /// No session came about: the demo could not start.
    void failed(const lk::Error& error);

private:
    void askForServer();
    void open(const ConnectionChoice& choice);
    void openMaster(const QString& endpoint);
    void openDemo();
    void onDemoReady();
    void closeSession();
    void applyConfig();
    void endDemo();
    void startSession(Session::Setup setup);
    void onStatus(const ConnectionStatus& status);
    void askForPassword(const Error& said);
    void useKeyring();
    void rememberServer();
    void fetchKey();
    void chooseTheme(ThemeChoice choice);
    ThemeChoice storedTheme() const;
    void applyTheme(ThemeChoice choice);
    void restoreView();
    void saveView();

    Theme m_theme;
    SystemClock m_clock;
    QSettings m_settings;
    RecentServers m_recent;
    DeploymentViews m_views;
    std::unique_ptr<SecretStore> m_secrets;
    UndoStore m_undo;
    QThread m_ioThread;
    QThread m_workerThread;
    QThread m_journalThread; ///< waits for the disk and for other programs' journal lines
    QThread m_trafficThread;
    std::unique_ptr<DemoServer> m_demoServer;
    std::unique_ptr<DemoTraffic> m_demoTraffic;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<Session> m_session;
    ConnectionChoice m_choice;
    bool m_remembered = false; ///< the present server, once it answered
    bool m_pictures = false;
    bool m_themeGiven = false; ///< on the command line: it counts for all deployments
    bool m_keyAsked = false;   ///< for undo records
    bool m_keyringAsked = false;
    bool m_passwordAsked = false; ///< a dialog is open
};

} // namespace lk
