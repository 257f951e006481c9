// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/console/alerting.h"
#include "app/console/consoleinvocation.h"
#include "app/console/demo.h"
#include "app/console/deployment.h"
#include "app/console/recordingsetting.h"
#include "backend/core/clock.h"
#include "backend/session/opensessions.h"
#include "widgets/dialogs/recentservers.h"
#include "widgets/main/deploymentviews.h"
#include "widgets/main/mainwindow.h"
#include "widgets/theme/theme.h"

#include <QSettings>
#include <QThread>

#include <memory>

namespace lk {

/// The composition root of the console: makes the threads, the window, and the deployments that are
/// open in it side by side, and connects them with each other. The destructor ends all that lives
/// in other threads.
class Console final : public QObject
{
    Q_OBJECT

public:
    explicit Console(QApplication& app);
    ~Console() override;

    MainWindow& window() { return *m_window; }
    Theme& theme() { return m_theme; }
    /// The live session in front; null if none is open.
    Session* session() const { return m_open.front(); }
    const OpenSessions& sessions() const { return m_open; }

    /// Opens what the command line asks for; asks the user if there is no address.
    void start(const ConsoleInvocation& invocation);
    /// Opens a deployment in front of the others. One that is open already comes to the front.
    void open(const ConnectionChoice& choice);
    /// Write mode never comes along: a production server that is left goes back to read-only.
    void bringToFront(Session* session);
    void close(Session* session);

signals:
    void sessionOpened();
    /// There is no session: the demo could not start.
    void failed(const lk::Error& error);

private:
    void listenToWindow();
    void askForServer();
    /// Reads the file that was given, else the default one. Reports an error in it.
    QList<RecentServer> teamServers();
    void openMaster(const QString& endpoint);
    void openDemo(Demo::Size size);
    void onDemoReady();
    void add(const ConnectionChoice& choice, Session::Setup setup,
             std::unique_ptr<Demo> demo = nullptr);
    Deployment* find(const Session* session) const;
    Deployment* front() const { return find(m_open.front()); }
    void leaveFront();
    void fetchKey();
    void chooseTheme(ThemeChoice choice);
    ThemeChoice storedTheme() const;
    void applyTheme(ThemeChoice choice);
    void restoreView(Deployment& deployment);
    void saveView(Deployment& deployment);

    Theme m_theme;
    SystemClock m_clock;
    QSettings m_settings;
    RecordingSetting m_recording{m_settings};
    RecentServers m_recent;
    DeploymentViews m_views;
    std::unique_ptr<SecretStore> m_secrets;
    UndoStore m_undo;
    QThread m_ioThread;
    QThread m_workerThread;
    QThread m_journalThread; ///< waits for the disk and for other programs' journal lines
    OpenSessions m_open;
    std::unique_ptr<MainWindow> m_window;
    Alerting m_alerting;                                    ///< ends after the deployments
    std::vector<std::unique_ptr<Deployment>> m_deployments; ///< in the order of m_open
    std::unique_ptr<Demo> m_demo;                           ///< the one that is being started
    QString m_storeFile;                                    ///< the recording
    QString m_teamFile;
    QString m_undoKey; ///< as fetchUndoKey() takes it
    bool m_pictures = false;
    bool m_themeGiven = false; ///< on the command line: it counts for all deployments
    bool m_keyAsked = false;   ///< for undo records
};

} // namespace lk
