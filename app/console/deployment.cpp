// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/deployment.h"

#include "app/console/declaredredlocks.h"
#include "app/console/demo.h"
#include "app/console/recording.h"
#include "backend/config/config.h"
#include "backend/config/configedit.h"
#include "backend/text/errortext.h"
#include "widgets/dialogs/passworddialog.h"
#include "widgets/dialogs/recentservers.h"

#include <QThread>

namespace lk {

namespace {

// Until it has done all that it was asked for before.
void waitFor(QThread& thread)
{
    auto* there = new QObject;
    there->moveToThread(&thread);
    QMetaObject::invokeMethod(
        there, [] {}, Qt::BlockingQueuedConnection);
    there->deleteLater();
}

} // namespace

Deployment::Deployment(ConnectionChoice choice, Session::Setup setup, Services services,
                       std::unique_ptr<Demo> demo)
    : m_choice(std::move(choice))
    , m_services(services)
    , m_demo(std::move(demo))
    , m_session(std::make_unique<Session>(std::move(setup)))
    , m_redlocks(std::make_unique<DeclaredRedlocks>(*m_session, m_services.secrets))
{
    m_redlocks->declare(m_session->setup().config.redlocks);
    connect(m_session.get(), &Session::statusChanged, this, &Deployment::onStatus);
    // Queued: not from within a signal of the session.
    connect(m_session.get(), &Session::configEdited, this, &Deployment::applyConfig,
            Qt::QueuedConnection);
}

Deployment::~Deployment()
{
    delete m_passwordDialog;
    QThread* alerts = m_session->setup().alertThread;
    m_recording.reset();
    m_redlocks.reset();
    m_session.reset();
    if (m_demo && alerts)
        waitFor(*alerts); // its file is in the demo's folder, which is removed now
}

void Deployment::setRecording(const Clock& clock, const QString& path)
{
    m_clock = &clock;
    m_recordingPath = path;
}

void Deployment::record(bool on)
{
    if (!m_recording) {
        m_recording =
            std::make_unique<Recording>(*m_clock, m_recordingPath, m_session->config().recording);
        connect(m_recording.get(), &Recording::notRecorded, this, [this](const Error& error) {
            setNotice(tr("Alerts not recorded: %1").arg(errorText(error)));
        });
        connect(m_recording.get(), &Recording::notRead, this, [this](const Error& error) {
            setNotice(tr("Some of the recording could not be read: %1").arg(errorText(error)));
        });
        m_recording->show(*m_session);
    }
    if (on && isWritable(m_recordingPath))
        m_recording->add(*m_session, m_session->setup().actionFiles.journal);
    else
        m_recording->remove(*m_session);
}

void Deployment::setNotice(const QString& text)
{
    m_notice = text;
    emit noticeChanged();
}

// The same session with what is declared now.
void Deployment::applyConfig()
{
    const Result<Config> config = loadConfig(m_session->configFile());
    if (!config)
        return setNotice(tr("Configuration not applied: %1").arg(errorText(config.error())));
    m_session->applyConfig(*config);
    if (m_recording)
        m_recording->setRetention(config->recording);
    m_redlocks->declare(config->redlocks);
    setNotice({});
}

void Deployment::onStatus(const ConnectionStatus& status)
{
    if (status.phase == ConnectionStatus::Phase::Ready && !std::exchange(m_answered, true))
        rememberServer();
    const bool login = status.phase == ConnectionStatus::Phase::Lost && isLogin(status.error.code);
    if (!login || m_demo) {
        m_needsLogin = m_needsLogin && status.phase != ConnectionStatus::Phase::Ready;
        return;
    }
    if (isSentinelLogin(status.error.code)) {
        if (!std::exchange(m_sentinelKeyringAsked, true) && m_choice.url.sentinelPassword.isEmpty())
            return useKeyring(true);
    } else if (!std::exchange(m_keyringAsked, true) && m_choice.url.password.isEmpty()) {
        return useKeyring(false);
    }
    m_needsLogin = true;
    emit loginNeeded();
}

void Deployment::useKeyring(bool ofSentinel)
{
    const ServerUrl& url = m_choice.url;
    m_services.secrets.read(ofSentinel ? sentinelSecretKey(url) : secretKey(url), this,
                            [this, ofSentinel](const Result<QString>& secret) {
                                if (secret && !secret->isEmpty())
                                    return ofSentinel
                                               ? m_session->setSentinelPassword(
                                                     m_choice.url.sentinelUser, *secret)
                                               : m_session->setPassword(m_choice.url.user, *secret);
                                m_needsLogin = true;
                                emit loginNeeded();
                            });
}

void Deployment::setPassword(const QString& user, const QString& password, bool remember)
{
    m_choice.url.user = user;
    m_choice.url.password = password;
    m_choice.rememberPassword = remember;
    m_session->setPassword(user, password);
}

void Deployment::setSentinelPassword(const QString& user, const QString& password, bool remember)
{
    m_choice.url.sentinelUser = user;
    m_choice.url.sentinelPassword = password;
    m_keepsSentinelPassword = remember;
    m_session->setSentinelPassword(user, password);
}

void Deployment::askForPassword()
{
    if (m_passwordDialog)
        return;
    const Error said = m_session->status().error;
    auto* dialog = new PasswordDialog(m_choice.url, m_session->name(), said, m_services.secrets,
                                      &m_services.window);
    m_passwordDialog = dialog;
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PasswordDialog::entered, this,
            [this, said](const QString& user, const QString& password, bool remember) {
                m_answered = false;
                m_needsLogin = false;
                if (isSentinelLogin(said.code))
                    setSentinelPassword(user, password, remember);
                else
                    setPassword(user, password, remember);
            });
    connect(dialog, &QDialog::finished, this, [this] { m_passwordDialog = nullptr; });
    dialog->open();
}

void Deployment::rememberServer()
{
    if (m_demo)
        return;
    m_services.recent.add({m_choice.url, m_choice.name, m_choice.environment,
                           absoluteConfigPath(m_choice.configFile)});
    if (m_choice.rememberPassword && !m_choice.url.password.isEmpty()) {
        m_services.secrets.write(
            secretKey(m_choice.url), m_choice.url.password, this,
            [](const Result<void>&) {}); // not kept: it is asked for the next time
    }
    if (m_keepsSentinelPassword) {
        m_services.secrets.write(sentinelSecretKey(m_choice.url), m_choice.url.sentinelPassword,
                                 this, [](const Result<void>&) {});
    }
}

} // namespace lk
