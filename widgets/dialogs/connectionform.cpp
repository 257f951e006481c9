// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialogs/connectionform.h"

#include "backend/config/config.h"
#include "widgets/controls/environmentbadge.h"
#include "widgets/controls/input/filefield.h"
#include "widgets/controls/input/passwordfield.h"
#include "widgets/dialogs/rememberbox.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

namespace lk {

namespace {

// The address alone, as it is typed: without login, database and options.
QString addressOf(const ServerUrl& url)
{
    if (url.scheme == ServerUrl::Scheme::Unix)
        return url.path;
    const QString endpoint = url.endpoint();
    return endpoint.left(endpoint.lastIndexOf(QLatin1Char('/')));
}

} // namespace

void ConnectionForm::onAddressChanged(const QString& text)
{
    // More than a key's worth at once was pasted: its login is taken out before anyone reads it.
    const bool pasted = text.size() > m_addressLength + 1;
    m_addressLength = text.size();
    if (pasted && text.contains(QLatin1String("://"))) {
        showAddressState(tidyAddress());
    } else {
        m_addressMessage->tell(InlineMessage::Tone::Hint,
                               tr("host:port, redis://…, rediss://… or /path/to/redis.sock"));
    }
    emit edited();
}

Result<ServerUrl> ConnectionForm::tidyAddress()
{
    const QString text = m_address->text().trimmed();
    Result<ServerUrl> url = parseServerUrl(text);
    if (!url)
        return url;
    const QSignalBlocker quiet(m_address);
    if (!url->user.isEmpty() || !url->password.isEmpty()) {
        m_user->setText(url->user);
        m_password->setText(url->password);
        m_storedPasswordKey.clear();
    }
    if (url->database != 0)
        m_database->setValue(url->database);
    if (text.contains(QLatin1String("://")) || url->scheme == ServerUrl::Scheme::Unix)
        m_tls->setChecked(url->scheme == ServerUrl::Scheme::Tls);
    if (!url->caFile.isEmpty())
        m_caFile->setPath(url->caFile);
    if (!url->certFile.isEmpty()) {
        m_certFile->setPath(url->certFile);
        m_keyFile->setPath(url->keyFile);
    }
    if (!url->serverName.isEmpty()) {
        m_serverName = url->serverName;
        m_serverNameHost = url->host;
    }
    if (!url->clientName.isEmpty())
        m_clientName = url->clientName;
    if (text != addressOf(*url))
        m_address->setText(addressOf(*url)); // which also forgets the undo history
    m_addressLength = m_address->text().size();
    m_tls->setEnabled(url->scheme != ServerUrl::Scheme::Unix);
    return url;
}

Result<ServerUrl> ConnectionForm::url()
{
    Result<ServerUrl> url = tidyAddress();
    if (!url)
        return url;
    if (m_tls->isChecked() && url->scheme == ServerUrl::Scheme::Tcp)
        url->scheme = ServerUrl::Scheme::Tls;
    url->database = m_database->value();
    url->user = m_user->text().trimmed();
    if (url->scheme == ServerUrl::Scheme::Tls) {
        url->caFile = m_caFile->path();
        url->certFile = m_certFile->path();
        url->keyFile = url->certFile.isEmpty() ? QString() : m_keyFile->path();
        url->serverName = url->host == m_serverNameHost ? m_serverName : QString();
    }
    url->clientName = m_clientName;
    forgetForeignPassword(*url);
    url->password = m_password->text();
    return url;
}

void ConnectionForm::forgetForeignPassword(const ServerUrl& url)
{
    if (m_storedPasswordKey.isEmpty() || m_storedPasswordKey == secretKey(url))
        return;
    m_storedPasswordKey.clear();
    m_password->clear();
    m_remember->setChecked(false);
}

void ConnectionForm::showAddressState(const Result<ServerUrl>& url)
{
    if (!url) {
        m_addressMessage->tellError(url.error());
        return;
    }
    m_addressMessage->tell(InlineMessage::Tone::Hint,
                           tr("host:port, redis://…, rediss://… or /path/to/redis.sock"));
}

void ConnectionForm::onTlsToggled()
{
    for (QWidget* part : std::initializer_list<QWidget*>{m_caFile, m_caLabel, m_certFile,
                                                         m_certLabel, m_keyFile, m_keyLabel})
        part->setEnabled(m_tls->isChecked());
    emit edited();
}

QString ConnectionForm::environment() const
{
    const QString text = m_environment->currentText().simplified().left(80);
    return text == m_environment->itemText(0) ? QString() : text;
}

void ConnectionForm::setServer(const RecentServer& server)
{
    const ServerUrl& url = server.url;
    m_address->setText(addressOf(url));
    m_user->setText(url.user);
    m_password->clear();
    m_storedPasswordKey.clear();
    m_remember->setChecked(false);
    m_database->setValue(url.database);
    m_tls->setChecked(url.scheme == ServerUrl::Scheme::Tls);
    m_caFile->setPath(url.caFile);
    m_certFile->setPath(url.certFile);
    m_keyFile->setPath(url.keyFile);
    m_serverName = url.serverName;
    m_serverNameHost = url.host;
    m_clientName = url.clientName;
    m_name->setText(server.name);
    m_environment->setCurrentText(server.environment.isEmpty() ? m_environment->itemText(0)
                                                               : server.environment);
    m_config->setPath(server.configFile);
    showAddressState(tidyAddress());
    emit edited();
}

void ConnectionForm::setStoredPassword(const QString& key, const QString& password)
{
    const Result<ServerUrl> current = url();
    if (!current || secretKey(*current) != key || !m_password->text().isEmpty())
        return;
    m_password->setText(password);
    m_storedPasswordKey = key;
    m_remember->setChecked(true);
}

std::optional<ConnectionChoice> ConnectionForm::choice()
{
    const Result<ServerUrl> address = url();
    showAddressState(address);
    FileField* wrong = nullptr;
    for (FileField* file : {m_caFile, m_certFile, m_keyFile}) {
        if (m_tls->isChecked() && !file->check() && !wrong)
            wrong = file;
    }
    const bool configGood = m_config->check();
    if (!address)
        focusAddress();
    else if (wrong)
        wrong->line()->setFocus();
    else if (!configGood)
        m_config->line()->setFocus();
    else
        return ConnectionChoice{*address,      m_name->text().simplified(),
                                environment(), absoluteConfigPath(m_config->path()),
                                false,         m_remember->isChecked()};
    return {};
}

void ConnectionForm::focusAddress()
{
    m_address->setFocus();
    m_address->selectAll();
}

void ConnectionForm::focusPassword()
{
    m_password->setFocus();
    m_password->selectAll();
}

} // namespace lk
