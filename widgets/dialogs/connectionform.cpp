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

using Deployment = ServerUrl::Deployment;

// The address alone, as it is typed: without login, database and options, whether over TLS or not.
QString addressOf(const ServerUrl& url)
{
    if (url.scheme == ServerUrl::Scheme::Unix)
        return url.path;
    QStringList reached;
    for (const ServerUrl::Address& each : url.addresses())
        reached << each.text();
    const QString all = reached.join(QLatin1Char(','));
    if (url.deployment == Deployment::Sentinel)
        return QLatin1String("redis-sentinel://") + all + QLatin1Char('/') + url.masterName;
    return url.deployment == Deployment::Cluster ? QLatin1String("redis-cluster://") + all : all;
}

} // namespace

void ConnectionForm::onAddressChanged(const QString& text)
{
    // More than a key's worth at once was pasted: its login is taken out before anyone reads it.
    const bool pasted = text.size() > m_addressLength + 1;
    m_addressLength = text.size();
    if (pasted && text.contains(QLatin1String("://")))
        showAddressState(tidyAddress());
    else
        showHint();
    if (!m_address->text().contains(QLatin1String("://")))
        showSentinelFields(false);
    else if (m_address->text().contains(QLatin1String("-sentinel://"), Qt::CaseInsensitive))
        showSentinelFields(true);
    emit edited();
}

void ConnectionForm::showSentinelFields(bool shown)
{
    for (QWidget* part : std::initializer_list<QWidget*>{
             m_sentinelUserLabel, m_sentinelUser, m_sentinelPasswordLabel, m_sentinelPassword})
        part->setVisible(shown);
}

Result<ServerUrl> ConnectionForm::tidyAddress()
{
    const QString text = m_address->text().trimmed();
    Result<ServerUrl> url = parseServerUrl(text);
    if (!url)
        return url;
    const QSignalBlocker quiet(m_address);
    const bool tidy = text == addressOf(*url); // what the fields say stands
    const bool whole = !tidy && text.contains(QLatin1String("://"));
    if (whole || (!tidy && text.contains(QLatin1Char('?'))))
        m_given = *url;
    m_given.password.clear(); // it has a field
    m_given.sentinelPassword.clear();
    if (!url->user.isEmpty() || !url->password.isEmpty()) {
        m_user->setText(url->user);
        m_password->setText(url->password);
        m_storedPasswordKey.clear();
    }
    if (!url->sentinelUser.isEmpty() || !url->sentinelPassword.isEmpty()) {
        m_sentinelUser->setText(url->sentinelUser);
        m_sentinelPassword->setText(url->sentinelPassword);
    }
    if (!url->sshJump.isEmpty())
        m_jump->setText(url->sshJump);
    if (url->database != 0)
        m_database->setValue(url->database);
    if (whole || url->scheme == ServerUrl::Scheme::Unix)
        m_tls->setChecked(url->scheme == ServerUrl::Scheme::Tls);
    if (!url->caFile.isEmpty())
        m_caFile->setPath(url->caFile);
    if (!url->certFile.isEmpty()) {
        m_certFile->setPath(url->certFile);
        m_keyFile->setPath(url->keyFile);
    }
    if (!tidy)
        m_address->setText(addressOf(*url)); // which also forgets the undo history
    m_addressLength = m_address->text().size();
    m_tls->setEnabled(url->scheme != ServerUrl::Scheme::Unix);
    m_jump->setEnabled(url->scheme != ServerUrl::Scheme::Unix);
    showSentinelFields(url->deployment == Deployment::Sentinel);
    return url;
}

Result<ServerUrl> ConnectionForm::url()
{
    Result<ServerUrl> url = tidyAddress();
    if (!url)
        return url;
    if (m_tls->isChecked() && url->scheme == ServerUrl::Scheme::Tcp)
        url->scheme = ServerUrl::Scheme::Tls;
    addFields(*url);
    addWhatHasNoField(*url);
    if (!url->sshJump.isEmpty()) { // which nothing has read yet
        if (Result<ServerUrl> read = parseServerUrl(url->withoutPassword()); !read)
            return read;
    }
    forgetForeignPassword(*url);
    url->password = m_password->text();
    return url;
}

void ConnectionForm::addFields(ServerUrl& url) const
{
    url.database = m_database->value();
    url.user = m_user->text().trimmed();
    if (url.scheme == ServerUrl::Scheme::Tls) {
        url.caFile = m_caFile->path();
        url.certFile = m_certFile->path();
        url.keyFile = url.certFile.isEmpty() ? QString() : m_keyFile->path();
    }
    if (url.deployment == Deployment::Sentinel) {
        url.sentinelUser = m_sentinelUser->text().trimmed();
        url.sentinelPassword = m_sentinelPassword->text();
    }
    if (url.scheme != ServerUrl::Scheme::Unix)
        url.sshJump = m_jump->text().trimmed();
}

void ConnectionForm::addWhatHasNoField(ServerUrl& url) const
{
    url.clientName = m_given.clientName;
    if (url.host != m_given.host ||
        url.path != m_given.path) // what is true of one server says nothing of another
        return;
    if (url.scheme == ServerUrl::Scheme::Tls)
        url.serverName = m_given.serverName;
    if (url.deployment == Deployment::Detect && m_given.deployment == Deployment::Node)
        url.deployment = Deployment::Node;
    url.addressMap = m_given.addressMap;
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
        m_addressMessage->setError(url.error());
        return;
    }
    showHint();
}

void ConnectionForm::showHint()
{
    m_addressMessage->setMessage(InlineMessage::Tone::Hint,
                                 tr("host:port, redis-sentinel://host/MASTER, redis-cluster://… or "
                                    "/path/r.sock"));
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
    m_sentinelUser->setText(url.sentinelUser);
    m_sentinelPassword->clear();
    m_jump->setText(url.sshJump);
    m_tls->setChecked(url.scheme == ServerUrl::Scheme::Tls);
    m_caFile->setPath(url.caFile);
    m_certFile->setPath(url.certFile);
    m_keyFile->setPath(url.keyFile);
    m_given = url;
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

void ConnectionForm::focusSentinelPassword()
{
    m_sentinelPassword->setFocus();
    m_sentinelPassword->selectAll();
}

void ConnectionForm::focusPassword()
{
    m_password->setFocus();
    m_password->selectAll();
}

} // namespace lk
