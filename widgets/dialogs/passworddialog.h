// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"
#include "backend/redis/url.h"

#include <QDialog>

class QLineEdit;

namespace lk {

class InlineMessage;
class PasswordField;
class RememberBox;
class SecretStore;

/// Asks for a login after a server has refused one, or the lack of one. Shows the server and its
/// message.
class PasswordDialog final : public QDialog
{
    Q_OBJECT

public:
    /// said: a login error, of the server or of its Sentinels, whose user it then asks for. The
    /// store outlives the dialog.
    PasswordDialog(const ServerUrl& url, const QString& name, const Error& said,
                   SecretStore& secrets, QWidget* parent = nullptr);

public slots:
    void accept() override;

signals:
    /// remember: to be written to the keyring once the server took it.
    void entered(const QString& user, const QString& password, bool remember);

private:
    QLayout* makeFields(const QString& user, SecretStore& secrets);
    QLayout* makeButtons();

    QLineEdit* m_user;
    PasswordField* m_password;
    RememberBox* m_remember;
    InlineMessage* m_message;
};

} // namespace lk
