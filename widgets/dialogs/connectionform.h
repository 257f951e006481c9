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

/// The fields for a server's address and credentials. Errors appear below the field.
class ConnectionForm final : public QWidget
{
    Q_OBJECT

public:
    explicit ConnectionForm(SecretStore& secrets, QWidget* parent = nullptr);

    void setServer(const RecentServer& server); ///< with an empty password
    /// Sets the password from the keyring, where it was kept under that key (secretKey). Ignored if
    /// another server or a password was entered meanwhile. Removed again when address or user
    /// change.
    void setStoredPassword(const QString& key, const QString& password);
    /// Returns the entered URL. Tidies the address first: moves a login in it to its fields.
    Result<ServerUrl> url();
    /// Returns the choice. Nothing if a field is wrong: the form then shows the error and focuses
    /// the first wrong field.
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
    QString m_storedPasswordKey; ///< the key of the password in the field; empty: it was typed
    qsizetype m_addressLength = 0;
};

} // namespace lk
