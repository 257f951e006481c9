// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/console.h"

#include "app/console/recording.h"
#include "app/process/undokey.h"
#include "backend/alerts/alertfile.h"
#include "backend/config/config.h"
#include "backend/config/configedit.h"
#include "backend/core/names/environment.h"
#include "backend/history/historypath.h"
#include "backend/secrets/keyring.h"
#include "backend/servers/teamfile.h"
#include "backend/session/endthread.h"
#include "backend/session/sessionacting.h"
#include "backend/text/errortext.h"
#include "widgets/dialogs/connectiondialog.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace lk {

namespace {

const QString themeKey = QStringLiteral("window/theme");       // for a deployment that has none
const QString geometryKey = QStringLiteral("window/geometry"); // for a deployment not seen before
const QString viewThemeKey = QStringLiteral("theme");          // of a deployment's view
const QString viewGeometryKey = QStringLiteral("geometry");    // likewise

} // namespace

Console::Console(QApplication& app)
    : m_theme(app)
    , m_recent(m_settings)
    , m_views(m_settings)
    , m_secrets(openKeyring())
    , m_undo(undoFolder())
    , m_window(std::make_unique<MainWindow>())
    , m_storeFile(historyPath())
{
    m_ioThread.setObjectName(QStringLiteral("io"));
    m_workerThread.setObjectName(QStringLiteral("worker"));
    m_journalThread.setObjectName(QStringLiteral("journal"));
    m_ioThread.start();
    m_workerThread.start();
    m_journalThread.start();
    m_window->setOpenSessions(&m_open);
    listenToWindow();
    m_window->restoreGeometry(m_settings.value(geometryKey).toByteArray());
}

Console::~Console()
{
    if (!m_pictures)
        m_settings.setValue(geometryKey, m_window->saveGeometry());
    while (!m_deployments.empty())
        close(&m_deployments.back()->session());
    m_demo.reset();
    m_window.reset();
    endThread(m_ioThread);
    endThread(m_journalThread); // after who gives it lines
    endThread(m_workerThread);
}

void Console::listenToWindow()
{
    MainWindow* window = m_window.get();
    connect(window, &MainWindow::connectWanted, this, &Console::askForServer);
    connect(window, &MainWindow::demoWanted, this, [this] { openDemo(Demo::Size::Server); });
    connect(window, &MainWindow::themeChosen, this, &Console::chooseTheme);
    connect(window, &MainWindow::passwordWanted, this, [this] {
        if (Deployment* deployment = front())
            deployment->askForPassword();
    });
    // Queued: not from within a signal of the session.
    connect(window, &MainWindow::masterWanted, this, &Console::openMaster, Qt::QueuedConnection);
    connect(&m_alerting, &Alerting::wanted, this, [this](Session* of, const QByteArray& alert) {
        bringToFront(of);
        m_window->showNormal();
        m_window->raise();
        m_window->activateWindow();
        m_window->open(AlertTarget{alert});
    });
    connect(window, &MainWindow::themeRestored, this,
            [this](ThemeChoice choice) { m_theme.choose(choice); });
    connect(window, &MainWindow::deploymentWanted, this, &Console::bringToFront);
    connect(&m_recording, &RecordingSwitch::changed, this, [this](bool on) {
        for (const auto& deployment : m_deployments)
            deployment->record(on);
    });
    // Not from within a click on a button that goes with it.
    connect(
        window, &MainWindow::closeWanted, this, [this](Session* session) { close(session); },
        Qt::QueuedConnection);
}

void Console::start(const ConsoleInvocation& invocation)
{
    m_themeGiven = invocation.theme != ConsoleInvocation::Theme::System;
    applyTheme(m_themeGiven ? ThemeChoice(int(invocation.theme)) : storedTheme());
    m_pictures = invocation.mode == ConsoleInvocation::Mode::Screenshots;
    if (!invocation.storeFile.isEmpty())
        m_storeFile = QFileInfo(invocation.storeFile).absoluteFilePath();
    m_teamFile = invocation.teamFile;
    m_undoKey = invocation.undoKey;
    if (invocation.demo) {
        openDemo(invocation.cluster ? Demo::Size::Cluster : Demo::Size::Server);
    } else if (invocation.url) {
        ConnectionChoice target;
        target.url = *invocation.url;
        target.environment = invocation.environment;
        target.configFile = absoluteConfigPath(invocation.configFile);
        open(target);
    } else {
        // Once the window stands: the dialog belongs above it.
        QMetaObject::invokeMethod(this, &Console::askForServer, Qt::QueuedConnection);
    }
}

void Console::askForServer()
{
    auto* dialog = new ConnectionDialog(m_recent, *m_secrets, m_window.get());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setShared(teamServers());
    if (const Session* session = m_open.front())
        dialog->offerReplacing(session->name());
    connect(dialog, &ConnectionDialog::chosen, this, [this](const ConnectionChoice& choice) {
        if (choice.replaces && m_open.front())
            close(m_open.front());
        if (choice.demo)
            openDemo(Demo::Size::Server);
        else
            open(choice);
    });
    dialog->open();
}

QList<RecentServer> Console::teamServers()
{
    const QString path = m_teamFile.isEmpty() ? defaultTeamFile() : m_teamFile;
    if (m_teamFile.isEmpty() && !QFileInfo::exists(path))
        return {};
    const Result<std::vector<TeamServer>> team = loadTeamFile(path);
    if (!team) {
        m_window->setNotice(tr("Team file not read: %1").arg(errorText(team.error())));
        return {};
    }
    QList<RecentServer> servers;
    for (const TeamServer& server : *team)
        servers.append({server.url, server.name, server.environment, server.configFile,
                        server.group.isEmpty() ? tr("Team") : server.group, false, true});
    return servers;
}

void Console::open(const ConnectionChoice& choice)
{
    const auto same = [&](const std::unique_ptr<Deployment>& deployment) {
        const ConnectionChoice& other = deployment->choice();
        return !deployment->isDemo() && other.name == choice.name &&
               other.url.withoutPassword() == choice.url.withoutPassword();
    };
    const auto known = std::find_if(m_deployments.begin(), m_deployments.end(), same);
    if (known != m_deployments.end())
        return bringToFront(&(*known)->session());
    Session::Setup setup;
    setup.url = choice.url;
    setup.name = choice.name;
    setup.environment = choice.environment;
    // A recording that is not writable is only shown: first-seen times go to the default file.
    setup.firstSeenPath = isWritable(m_storeFile) ? m_storeFile : historyPath();
    setup.actionFiles = {journalPath(), m_undo, &m_journalThread};
    if (!m_pictures)
        setup.alertFile = alertDatabasePath();
    // A declaration made without a configuration file applies to later windows, too.
    setup.configFile = choice.configFile.isEmpty() ? defaultConfigPath() : choice.configFile;
    QString notice;
    if (Result<Config> config = loadConfigOrDefault(choice.configFile))
        setup.config = std::move(*config);
    else
        notice = tr("Configuration not applied: %1").arg(errorText(config.error()));
    add(choice, std::move(setup));
    if (!notice.isEmpty())
        m_deployments.back()->setNotice(notice);
}

void Console::add(const ConnectionChoice& choice, Session::Setup setup, std::unique_ptr<Demo> demo)
{
    // The demo's recording is in its own folder and is removed with it.
    const QString recordingPath =
        demo ? QFileInfo(setup.actionFiles.journal).dir().filePath(QStringLiteral("history.db"))
             : m_storeFile;
    setup.ioThread = &m_ioThread;
    setup.workerThread = &m_workerThread;
    setup.clock = &m_clock;
    setup.alertThread = m_alerting.thread();
    m_deployments.push_back(std::make_unique<Deployment>(
        choice, std::move(setup), Deployment::Services{*m_secrets, m_recent, *m_window},
        std::move(demo)));
    Deployment* deployment = m_deployments.back().get();
    Session* session = &deployment->session();
    if (!m_pictures) {
        deployment->setRecording(m_clock, recordingPath);
        deployment->record(m_recording.isOn());
        if (!isWritable(recordingPath))
            deployment->setNotice(
                tr("%1 is not writable: it is shown, and nothing is recorded.").arg(recordingPath));
        m_recording.giveTo(*session);
    }
    m_alerting.follow(*session);
    connect(&session->acting(), &SessionActing::writeModeChanged, this, [this, session] {
        if (session->acting().isWriteModeOn())
            fetchKey();
    });
    connect(deployment, &Deployment::noticeChanged, this, [this, deployment] {
        if (deployment == front())
            m_window->setNotice(deployment->notice());
    });
    // The others show it in their button: no dialog of one stands over another's boards.
    connect(deployment, &Deployment::loginNeeded, this, [this, deployment] {
        if (deployment == front())
            deployment->askForPassword();
    });
    m_open.add(session);
    // A deployment that is added while a dialog about another one is open waits in the switcher.
    if (!m_open.front() || !QApplication::activeModalWidget())
        bringToFront(session);
    session->start();
    emit sessionOpened();
}

Deployment* Console::find(const Session* session) const
{
    const auto it =
        std::find_if(m_deployments.begin(), m_deployments.end(),
                     [&](const auto& deployment) { return &deployment->session() == session; });
    return session && it != m_deployments.end() ? it->get() : nullptr;
}

void Console::leaveFront()
{
    Deployment* deployment = front();
    if (!deployment)
        return;
    saveView(*deployment);
    Session& session = deployment->session();
    if (session.acting().isWriteModeOn() && isProduction(session.environment()))
        session.acting().disableWriteMode();
}

void Console::bringToFront(Session* session)
{
    Deployment* deployment = find(session);
    if (!deployment || session == m_open.front())
        return;
    leaveFront();
    m_open.setFront(session);
    m_window->setSession(session);
    m_window->setNotice(deployment->notice());
    restoreView(*deployment);
    if (deployment->needsLogin())
        deployment->askForPassword();
}

void Console::close(Session* session)
{
    const auto it =
        std::find_if(m_deployments.begin(), m_deployments.end(),
                     [&](const auto& deployment) { return &deployment->session() == session; });
    if (!session || it == m_deployments.end())
        return;
    const auto place = it - m_deployments.begin();
    const bool wasInFront = session == m_open.front();
    if (wasInFront) {
        leaveFront();
        m_window->setSession(nullptr);
        m_window->setNotice({});
    }
    m_open.remove(session);
    const std::unique_ptr<Deployment> ends = std::move(*it);
    m_deployments.erase(it);
    if (wasInFront && m_open.count() > 0)
        bringToFront(m_open.at(std::min(int(place), m_open.count() - 1)));
}

// Keeps login, name and label: the deployment is the same, whichever server is its master.
void Console::openMaster(const QString& endpoint)
{
    const Result<ServerUrl> named = parseServerUrl(endpoint);
    Deployment* deployment = front();
    if (!deployment || (!named && !endpoint.isEmpty()))
        return;
    ConnectionChoice choice = deployment->choice();
    if (endpoint.isEmpty()) { // the cluster, by the node that was looked at alone
        choice.url.deployment = ServerUrl::Deployment::Detect;
    } else {
        choice.url = deployment->choice().url.at({named->host, named->port});
        choice.url.deployment = deployment->choice().url.deployment;
    }
    close(&deployment->session());
    open(choice);
}

// Undo data is only in memory until the keyring answers, and if no key is kept. A user who only
// looks is not asked to unlock the keyring.
void Console::fetchKey()
{
    if (m_pictures || std::exchange(m_keyAsked, true))
        return;
    fetchUndoKey(m_undoKey, *m_secrets, m_undo, this, [this](const Result<void>& given) {
        if (!given)
            m_window->setNotice(errorText(given.error()));
    });
}

// The demo's server is another each time, and pictures are the same for everybody.
void Console::restoreView(Deployment& deployment)
{
    if (m_pictures)
        return;
    QVariantMap view;
    const Session& session = deployment.session();
    if (deployment.view)
        view = *deployment.view;
    else if (!deployment.isDemo())
        view = m_views.load(session.url(), session.name());
    // The window stays where it is once there is something in it.
    if (deployment.view || m_open.count() > 1)
        view.remove(viewGeometryKey);
    if (m_themeGiven)
        view.remove(viewThemeKey);
    else if (!view.contains(viewThemeKey))
        applyTheme(storedTheme());
    m_window->setViewState(view);
}

void Console::saveView(Deployment& deployment)
{
    if (m_pictures)
        return;
    QVariantMap view = m_window->viewState();
    deployment.view = view;
    if (deployment.isDemo() || !deployment.hasAnswered())
        return; // an address that never answered is no deployment
    const Session& session = deployment.session();
    const QVariant theme = m_views.load(session.url(), session.name()).value(viewThemeKey);
    if (!view.contains(viewThemeKey) && theme.isValid())
        view.insert(viewThemeKey, theme); // another was given on the command line
    m_views.save(session.url(), session.name(), view);
}

// There is one at most.
void Console::openDemo(Demo::Size size)
{
    const auto known = std::find_if(m_deployments.begin(), m_deployments.end(),
                                    [](const auto& deployment) { return deployment->isDemo(); });
    if (known != m_deployments.end())
        return bringToFront(&(*known)->session());
    if (m_demo)
        return;
    m_demo = std::make_unique<Demo>(size);
    connect(m_demo.get(), &Demo::ready, this, &Console::onDemoReady);
    connect(
        m_demo.get(), &Demo::failed, this,
        [this](const Error& error) {
            m_demo.reset();
            m_window->setNotice(tr("The demo cannot run: %1").arg(errorText(error)));
            emit failed(error);
        },
        Qt::QueuedConnection); // it destroys the sender
    m_demo->start();
}

void Console::onDemoReady()
{
    Session::Setup setup = m_demo->setup();
    ConnectionChoice choice;
    choice.demo = true;
    choice.url = setup.url;
    add(choice, std::move(setup), std::move(m_demo));
}

void Console::chooseTheme(ThemeChoice choice)
{
    m_theme.choose(choice);
    m_settings.setValue(themeKey, themeId(choice));
}

ThemeChoice Console::storedTheme() const
{
    return themeOfId(m_settings.value(themeKey).toString()).value_or(ThemeChoice::System);
}

void Console::applyTheme(ThemeChoice choice)
{
    m_theme.choose(choice);
    m_window->setThemeChoice(choice);
}

} // namespace lk
