// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/console.h"

#include "app/process/undokey.h"
#include "backend/config/config.h"
#include "backend/session/endthread.h"
#include "backend/text/errortext.h"

#include "backend/config/configedit.h"
#include "backend/demo/demoserver.h"
#include "backend/demo/demotraffic.h"
#include "backend/polling/derived/firstseenstore.h"
#include "backend/secrets/keyring.h"
#include "widgets/dialogs/connectiondialog.h"
#include "widgets/dialogs/passworddialog.h"

#include <QApplication>
#include <QFile>

namespace lk {

namespace {

const QString themeKey = QStringLiteral("window/theme");       // for a deployment that has none
const QString geometryKey = QStringLiteral("window/geometry"); // for a deployment not seen before
const QString viewThemeKey = QStringLiteral("theme");          // of a deployment's view

Config demoConfig()
{
    QFile file(QStringLiteral(":/demo/demo.toml"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return parseConfig(file.readAll(), file.fileName()).value_or(Config());
}

} // namespace

Console::Console(QApplication& app)
    : m_theme(app)
    , m_recent(m_settings)
    , m_views(m_settings)
    , m_secrets(openKeyring())
    , m_undo(undoFolder())
    , m_window(std::make_unique<MainWindow>())
{
    m_ioThread.setObjectName(QStringLiteral("io"));
    m_workerThread.setObjectName(QStringLiteral("worker"));
    m_journalThread.setObjectName(QStringLiteral("journal"));
    m_trafficThread.setObjectName(QStringLiteral("demo traffic"));
    m_ioThread.start();
    m_workerThread.start();
    m_journalThread.start();
    connect(m_window.get(), &MainWindow::connectWanted, this, &Console::askForServer);
    connect(m_window.get(), &MainWindow::demoWanted, this, &Console::openDemo);
    connect(m_window.get(), &MainWindow::themeChosen, this, &Console::chooseTheme);
    connect(m_window.get(), &MainWindow::passwordWanted, this, [this] {
        if (m_session)
            askForPassword(m_session->status().error);
    });
    // Not from within what the session has just told the window.
    connect(m_window.get(), &MainWindow::masterWanted, this, &Console::openMaster,
            Qt::QueuedConnection);
    connect(m_window.get(), &MainWindow::themeRestored, this,
            [this](ThemeChoice choice) { m_theme.choose(choice); });
    m_window->restoreGeometry(m_settings.value(geometryKey).toByteArray());
}

Console::~Console()
{
    if (!m_pictures)
        m_settings.setValue(geometryKey, m_window->saveGeometry());
    closeSession();
    endDemo();
    m_window.reset();
    endThread(m_ioThread);
    endThread(m_journalThread); // after who gives it lines
    endThread(m_workerThread);
}

void Console::start(const ConsoleInvocation& invocation)
{
    m_themeGiven = invocation.theme != ConsoleInvocation::Theme::System;
    applyTheme(m_themeGiven ? ThemeChoice(int(invocation.theme)) : storedTheme());
    m_pictures = invocation.mode == ConsoleInvocation::Mode::Screenshots;
    if (invocation.demo) {
        openDemo();
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
    connect(dialog, &ConnectionDialog::chosen, this, [this](const ConnectionChoice& choice) {
        if (choice.demo)
            openDemo();
        else
            open(choice);
    });
    dialog->open();
}

void Console::open(const ConnectionChoice& choice)
{
    closeSession();
    endDemo();
    m_choice = choice;
    m_remembered = false;
    m_keyringAsked = false;
    Session::Setup setup;
    setup.url = choice.url;
    setup.name = choice.name;
    setup.environment = choice.environment;
    setup.firstSeenPath = firstSeenPath();
    setup.actionFiles = {journalPath(), m_undo, &m_journalThread};
    fetchKey();
    m_window->setNotice({});
    // What was declared in a window that was given no file counts in the next one, too.
    setup.configFile = choice.configFile.isEmpty() ? defaultConfigPath() : choice.configFile;
    if (Result<Config> config = loadConfigOrDefault(choice.configFile))
        setup.config = std::move(*config);
    else
        m_window->setNotice(tr("Configuration not applied: %1").arg(errorText(config.error())));
    startSession(std::move(setup));
}

// With the same login, name and label: it is the same deployment, whoever its master is.
void Console::openMaster(const QString& endpoint)
{
    const Result<ServerUrl> named = parseServerUrl(endpoint);
    if (!named || !m_session)
        return;
    ConnectionChoice choice = m_choice;
    choice.url = m_choice.url.at({named->host, named->port});
    choice.url.deployment = m_choice.url.deployment;
    open(choice);
}

// Until the keyring answers, and where there is none, what undo needs is in memory only.
void Console::fetchKey()
{
    if (m_pictures || std::exchange(m_keyAsked, true))
        return;
    fetchUndoKey(*m_secrets, this, [this](const Result<QByteArray>& key) {
        if (key)
            m_undo.setKey(*key);
    });
}

void Console::startSession(Session::Setup setup)
{
    setup.ioThread = &m_ioThread;
    setup.workerThread = &m_workerThread;
    setup.clock = &m_clock;
    m_session = std::make_unique<Session>(std::move(setup));
    connect(m_session.get(), &Session::statusChanged, this, &Console::onStatus);
    // Not from within what it has just told somebody.
    connect(m_session.get(), &Session::configEdited, this, &Console::applyConfig,
            Qt::QueuedConnection);
    m_window->setSession(m_session.get());
    restoreView();
    m_session->start();
    emit sessionOpened();
}

// The same session with what is declared now.
void Console::applyConfig()
{
    if (!m_session)
        return;
    const Result<Config> config = loadConfig(m_session->configFile());
    if (!config)
        return m_window->setNotice(
            tr("Configuration not applied: %1").arg(errorText(config.error())));
    m_session->applyConfig(*config);
    m_window->setNotice({});
}

void Console::closeSession()
{
    if (!m_session)
        return;
    saveView();
    m_window->setSession(nullptr);
    m_session.reset();
}

// The demo's server is another each time, and pictures are the same for everybody.
void Console::restoreView()
{
    if (m_pictures)
        return;
    QVariantMap view;
    if (!m_demoServer)
        view = m_views.load(m_session->url(), m_session->name());
    if (m_themeGiven)
        view.remove(viewThemeKey);
    else if (!view.contains(viewThemeKey))
        applyTheme(storedTheme());
    m_window->setViewState(view);
}

void Console::saveView()
{
    if (m_pictures || m_demoServer || !m_remembered)
        return; // an address that never answered is no deployment
    QVariantMap view = m_window->viewState();
    const QVariant theme = m_views.load(m_session->url(), m_session->name()).value(viewThemeKey);
    if (!view.contains(viewThemeKey) && theme.isValid())
        view.insert(viewThemeKey, theme); // another was given on the command line
    m_views.save(m_session->url(), m_session->name(), view);
}

void Console::onStatus(const ConnectionStatus& status)
{
    if (status.phase == ConnectionStatus::Phase::Ready && !std::exchange(m_remembered, true))
        rememberServer();
    const bool login =
        status.phase == ConnectionStatus::Phase::Lost &&
        (status.error.code == ErrorCode::NoAuth || status.error.code == ErrorCode::WrongPass);
    if (!login || m_demoServer)
        return;
    if (!std::exchange(m_keyringAsked, true) && m_choice.url.password.isEmpty())
        useKeyring();
    else
        askForPassword(status.error);
}

void Console::useKeyring()
{
    const Error said = m_session->status().error;
    m_secrets->read(secretKey(m_choice.url), this, [this, said](const Result<QString>& secret) {
        if (!m_session)
            return;
        if (secret && !secret->isEmpty())
            m_session->setPassword(m_choice.url.user, *secret);
        else
            askForPassword(said);
    });
}

void Console::askForPassword(const Error& said)
{
    if (!m_session || std::exchange(m_passwordAsked, true))
        return;
    auto* dialog =
        new PasswordDialog(m_choice.url, m_session->name(), said, *m_secrets, m_window.get());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PasswordDialog::entered, this,
            [this](const QString& user, const QString& password, bool remember) {
                if (!m_session)
                    return;
                m_choice.url.user = user;
                m_choice.url.password = password;
                m_choice.rememberPassword = remember;
                m_remembered = false;
                m_session->setPassword(user, password);
            });
    connect(dialog, &QDialog::finished, this, [this] { m_passwordAsked = false; });
    dialog->open();
}

void Console::rememberServer()
{
    if (m_demoServer)
        return;
    m_recent.add({m_choice.url, m_choice.name, m_choice.environment,
                  absoluteConfigPath(m_choice.configFile)});
    if (m_choice.rememberPassword && !m_choice.url.password.isEmpty()) {
        m_secrets->write(secretKey(m_choice.url), m_choice.url.password, this,
                         [](const Result<void>&) {}); // not kept: it is asked for the next time
    }
}

void Console::openDemo()
{
    closeSession();
    endDemo();
    m_demoServer = std::make_unique<DemoServer>();
    connect(m_demoServer.get(), &DemoServer::ready, this, &Console::onDemoReady);
    connect(m_demoServer.get(), &DemoServer::failed, this, [this](const Error& error) {
        m_window->setNotice(tr("The demo cannot run: %1").arg(errorText(error)));
        emit failed(error);
    });
    m_demoServer->start();
}

void Console::onDemoReady()
{
    m_demoTraffic = std::make_unique<DemoTraffic>(m_demoServer->url());
    m_demoTraffic->moveToThread(&m_trafficThread);
    connect(&m_trafficThread, &QThread::started, m_demoTraffic.get(), &DemoTraffic::start);
    m_trafficThread.start();
    Session::Setup setup;
    setup.url = m_demoServer->url();
    setup.name = tr("Demo");
    setup.environment = tr("demo");
    setup.config = demoConfig();
    // What is tried out there goes with it and is never mixed with what was done in earnest.
    const QString folder = m_demoServer->folder();
    setup.configFile = folder + QStringLiteral("/lockkeeper.toml");
    QFile::copy(QStringLiteral(":/demo/demo.toml"), setup.configFile);
    QFile::setPermissions(setup.configFile, QFile::ReadOwner | QFile::WriteOwner);
    setup.actionFiles = {folder + QStringLiteral("/journal.jsonl"),
                         folder + QStringLiteral("/undo")};
    startSession(std::move(setup));
}

void Console::endDemo()
{
    endThread(m_trafficThread);
    m_demoTraffic.reset();
    m_demoServer.reset();
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
