// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "widgets/dialogs/connectionchoice.h"
#include "widgets/dialogs/recentservers.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace lk {

class EnvironmentBadge;
class FileField;
class InlineMessage;
class PasswordField;
class RememberBox;
class SecretStore;

/// The fields that say which server and how. What is wrong is said under the field itself.
class ConnectionForm final : public QWidget
{
    Q_OBJECT

public:
    explicit ConnectionForm(SecretStore& secrets, QWidget* parent = nullptr);

    void setServer(const RecentServer& server); ///< with an empty password
    /// From the keyring, where it was kept under that key (secretKey). Not taken if meanwhile
    /// another server or a password was entered; goes again with address or user.
    void setStoredPassword(const QString& key, const QString& password);
    /// What the fields say now; the address is tidied first: a login in it moves to its fields.
    Result<ServerUrl> url();
    /// Nothing if a field is wrong; that is said there, and the first wrong field has the focus.
    std::optional<ConnectionChoice> choice();
    void focusAddress();
    void focusPassword();
    void focusSentinelPassword();

signals:
    void edited();

private:
    void build(SecretStore& secrets);
    void placeRows(QGridLayout& grid);
    void listen();
    void onAddressChanged(const QString& text);
    Result<ServerUrl> tidyAddress();
    void showSentinelFields(bool shown);
    void addFields(ServerUrl& url) const;
    void addWhatHasNoField(ServerUrl& url) const;
    void showAddressState(const Result<ServerUrl>& url);
    void showHint();
    void forgetForeignPassword(const ServerUrl& url);
    void onTlsToggled();
    QString environment() const;

    QLineEdit* m_address;
    InlineMessage* m_addressMessage;
    QLineEdit* m_user;
    PasswordField* m_password;
    RememberBox* m_remember;
    QSpinBox* m_database;
    QLabel* m_sentinelUserLabel;
    QLineEdit* m_sentinelUser;
    QLabel* m_sentinelPasswordLabel;
    PasswordField* m_sentinelPassword;
    QLineEdit* m_jump;
    QCheckBox* m_tls;
    QLabel* m_caLabel;
    FileField* m_caFile;
    QLabel* m_certLabel;
    FileField* m_certFile;
    QLabel* m_keyLabel;
    FileField* m_keyFile;
    QLineEdit* m_name;
    QComboBox* m_environment;
    EnvironmentBadge* m_badge;
    FileField* m_config;
    ServerUrl m_given;           ///< the last URL with options: some have no field
    QString m_storedPasswordKey; ///< whose password the field holds; empty: it was typed
    qsizetype m_addressLength = 0;
};

} // namespace lk
