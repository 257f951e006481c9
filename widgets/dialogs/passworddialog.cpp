// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialogs/passworddialog.h"

#include "widgets/controls/inlinemessage.h"
#include "widgets/controls/input/passwordfield.h"
#include "widgets/dialogs/rememberbox.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace lk {

PasswordDialog::PasswordDialog(const ServerUrl& url, const QString& name, const Error& said,
                               SecretStore& secrets, QWidget* parent)
    : QDialog(parent)
    , m_message(new InlineMessage(this))
{
    setWindowTitle(tr("Log in – Lockkeeper"));
    auto* title = new QLabel(name.isEmpty() ? tr("Log in") : tr("Log in to %1").arg(name), this);
    title->setTextFormat(Qt::PlainText);
    title->setFont(uiFont(TextSize::Title));
    auto* endpoint = new QLabel(url.endpoint(), this);
    endpoint->setTextFormat(Qt::PlainText);
    endpoint->setFont(monoFont(TextSize::Body));
    endpoint->setForegroundRole(QPalette::PlaceholderText);
    // To be asked is no failure; to be refused is one.
    if (said.code == ErrorCode::NoAuth || said.code == ErrorCode::SentinelNoAuth)
        m_message->setMessage(InlineMessage::Tone::Warning, sentences(said));
    else
        m_message->setError(said);
    columnIn(this, {16, 16, 16, 16}, 8,
             {title, endpoint, m_message, BoxGap{8},
              makeFields(isSentinelLogin(said.code) ? url.sentinelUser : url.user, secrets),
              BoxStretch{}, BoxGap{8}, makeButtons()});
    setMinimumWidth(480);
    m_password->setFocus();
}

QLayout* PasswordDialog::makeFields(const QString& user, SecretStore& secrets)
{
    m_user = new QLineEdit(user, this);
    m_user->setPlaceholderText(tr("default"));
    m_user->setAccessibleName(tr("User"));
    m_password = new PasswordField(this);
    m_password->setAccessibleName(tr("Password"));
    m_remember = new RememberBox(secrets, this);
    auto* userLabel = new QLabel(tr("&User"), this);
    userLabel->setBuddy(m_user);
    auto* passwordLabel = new QLabel(tr("&Password"), this);
    passwordLabel->setBuddy(m_password);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(8);
    grid->addWidget(userLabel, 0, 0);
    grid->addWidget(m_user, 0, 1);
    grid->addWidget(passwordLabel, 1, 0);
    grid->addWidget(m_password, 1, 1);
    grid->addWidget(m_remember, 2, 1);
    return grid;
}

QLayout* PasswordDialog::makeButtons()
{
    auto* cancel = new QPushButton(tr("Cancel"), this);
    auto* login = new QPushButton(tr("&Log in"), this);
    cancel->setAutoDefault(false);
    login->setDefault(true);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(login, &QPushButton::clicked, this, &PasswordDialog::accept);
    auto* row = rowOf(8, {BoxStretch{}, cancel, login});
    return row;
}

void PasswordDialog::accept()
{
    if (m_password->text().isEmpty()) {
        m_message->setMessage(InlineMessage::Tone::Problem, tr("Enter the password first."));
        m_password->setFocus();
        return;
    }
    QDialog::accept();
    emit entered(m_user->text().trimmed(), m_password->text(), m_remember->isChecked());
}

} // namespace lk
