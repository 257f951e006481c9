// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialogs/connectionform.h"

#include "backend/config/config.h"
#include "widgets/controls/environmentbadge.h"
#include "widgets/controls/input/filefield.h"
#include "widgets/controls/input/passwordfield.h"
#include "widgets/dialogs/rememberbox.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QSpinBox>

// The parts of the form; its behaviour is in connectionform.cpp.
namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ConnectionForm)
};

Result<QString> inspectConfig(const QString& path)
{
    const Result<Config> config = loadConfig(path);
    if (!config)
        return tl::unexpected(config.error());
    const size_t count = config->declarations.size();
    return count == 1 ? Text::tr("1 declaration") : Text::tr("%1 declarations").arg(count);
}

// Reports the file's purpose if the file is readable.
FileField::Inspect readable(const QString& what)
{
    return [what](const QString& path) -> Result<QString> {
        const QFileInfo file(path);
        if (!file.isFile() || !file.isReadable())
            return failure(ErrorCode::FileError, Text::tr("%1 cannot be read").arg(path));
        return what;
    };
}

QLabel* labelFor(QWidget* field, const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setBuddy(field);
    return label;
}

} // namespace

ConnectionForm::ConnectionForm(SecretStore& secrets, QWidget* parent)
    : QWidget(parent)
{
    build(secrets);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    placeRows(*grid);
    listen();
    showAddressState(url());
    onTlsToggled();
}

void ConnectionForm::build(SecretStore& secrets)
{
    m_address = new QLineEdit(QStringLiteral("127.0.0.1:6379"), this);
    m_address->setAccessibleName(tr("Address"));
    m_addressLength = m_address->text().size();
    m_addressMessage = new InlineMessage(this);
    m_user = new QLineEdit(this);
    m_user->setPlaceholderText(tr("default"));
    m_user->setAccessibleName(tr("User"));
    m_password = new PasswordField(this);
    m_password->setAccessibleName(tr("Password"));
    m_remember = new RememberBox(secrets, this);
    m_database = new QSpinBox(this);
    m_database->setRange(0, 1'000'000);
    m_database->setAccessibleName(tr("Database"));
    m_sentinelUser = new QLineEdit(this);
    m_sentinelUser->setPlaceholderText(tr("default"));
    m_sentinelUser->setAccessibleName(tr("Sentinel user"));
    m_sentinelUserLabel = labelFor(m_sentinelUser, tr("Sentinel user"), this);
    m_sentinelPassword = new PasswordField(this);
    m_sentinelPassword->setAccessibleName(tr("Sentinel password"));
    m_sentinelPassword->setToolTip(tr("The password of the Sentinels; it is not stored"));
    m_sentinelPasswordLabel = labelFor(m_sentinelPassword, tr("Sentinel pass&word"), this);
    m_jump = new QLineEdit(this);
    m_jump->setPlaceholderText(tr("user@host"));
    m_jump->setAccessibleName(tr("SSH jump host"));
    m_jump->setToolTip(
        tr("Empty: connects directly. Otherwise connects through this host with the system's ssh "
           "and ~/.ssh/config; ssh must be able to log in without a prompt"));
    m_tls = new QCheckBox(tr("Encrypt with T&LS"), this);
    m_caFile = new FileField({tr("Certificate authority"),
                              tr("PEM file; default: the authorities this system trusts"),
                              tr("Certificates (*.pem *.crt *.cer);;All files (*)")},
                             readable(tr("Trusts only servers signed by this authority")), this);
    m_certFile = new FileField({tr("Client certificate"),
                                tr("PEM file, for a server that asks for one; empty: none"),
                                tr("Certificates (*.pem *.crt *.cer);;All files (*)")},
                               readable(tr("Identifies this client to the server")), this);
    m_keyFile = new FileField(
        {tr("Client key"), tr("PEM file without a passphrase; empty: in the certificate's file"),
         tr("Keys (*.pem *.key);;All files (*)")},
        readable(tr("Stays on this machine")), this);
    m_name = new QLineEdit(this);
    m_name->setPlaceholderText(tr("such as orders-eu"));
    m_name->setMaxLength(80);
    m_name->setAccessibleName(tr("Name"));
    m_environment = new QComboBox(this);
    m_environment->setEditable(true);
    m_environment->setInsertPolicy(QComboBox::NoInsert);
    m_environment->setAccessibleName(tr("Environment"));
    m_environment->addItem(tr("none"));
    m_environment->addItems(
        {QStringLiteral("development"), QStringLiteral("staging"), QStringLiteral("production")});
    m_badge = new EnvironmentBadge(this);
    m_config = new FileField({tr("Configuration file"),
                              tr("What Redis does not store: limits, windows, processing lists"),
                              tr("Lockkeeper's TOML files (*.toml);;All files (*)")},
                             inspectConfig, this);
}

void ConnectionForm::placeRows(QGridLayout& grid)
{
    // A field with a message under it is labelled beside its first line.
    const auto top = [this](QWidget* field, const QString& text, const QWidget* line) {
        QLabel* label = labelFor(field, text, this);
        label->setMinimumHeight(line->sizeHint().height());
        return label;
    };
    int row = 0;
    grid.addWidget(labelFor(m_address, tr("&Address"), this), row, 0);
    grid.addWidget(m_address, row, 1, 1, 3);
    grid.addWidget(m_addressMessage, ++row, 1, 1, 3);
    grid.addWidget(labelFor(m_user, tr("&User"), this), ++row, 0);
    grid.addWidget(m_user, row, 1);
    grid.addWidget(labelFor(m_password, tr("&Password"), this), row, 2);
    grid.addWidget(m_password, row, 3);
    grid.addWidget(m_remember, ++row, 1, 1, 3);
    grid.addWidget(m_sentinelUserLabel, ++row, 0);
    grid.addWidget(m_sentinelUser, row, 1);
    grid.addWidget(m_sentinelPasswordLabel, row, 2);
    grid.addWidget(m_sentinelPassword, row, 3);
    grid.addWidget(labelFor(m_database, tr("&Database"), this), ++row, 0);
    grid.addWidget(m_database, row, 1);
    grid.addWidget(labelFor(m_jump, tr("SSH &jump host"), this), row, 2);
    grid.addWidget(m_jump, row, 3);
    grid.addWidget(m_tls, ++row, 1, 1, 3);
    m_caLabel = top(m_caFile, tr("CA f&ile"), m_caFile->line());
    grid.addWidget(m_caLabel, ++row, 0, Qt::AlignTop);
    grid.addWidget(m_caFile, row, 1, 1, 3);
    m_certLabel = top(m_certFile, tr("Client ce&rtificate"), m_certFile->line());
    grid.addWidget(m_certLabel, ++row, 0, Qt::AlignTop);
    grid.addWidget(m_certFile, row, 1, 1, 3);
    m_keyLabel = top(m_keyFile, tr("Client &key"), m_keyFile->line());
    grid.addWidget(m_keyLabel, ++row, 0, Qt::AlignTop);
    grid.addWidget(m_keyFile, row, 1, 1, 3);
    grid.setRowMinimumHeight(++row, 8);
    grid.addWidget(labelFor(m_name, tr("&Name"), this), ++row, 0);
    grid.addWidget(m_name, row, 1, 1, 3);
    grid.addWidget(labelFor(m_environment, tr("&Environment"), this), ++row, 0);
    grid.addWidget(m_environment, row, 1);
    grid.addWidget(m_badge, row, 2, 1, 2, Qt::AlignLeft | Qt::AlignVCenter);
    grid.addWidget(top(m_config, tr("Confi&guration"), m_config->line()), ++row, 0, Qt::AlignTop);
    grid.addWidget(m_config, row, 1, 1, 3);
}

void ConnectionForm::listen()
{
    connect(m_address, &QLineEdit::textChanged, this, &ConnectionForm::onAddressChanged);
    connect(m_address, &QLineEdit::editingFinished, this, [this] { showAddressState(url()); });
    for (QLineEdit* line : {m_user, static_cast<QLineEdit*>(m_password), m_sentinelUser,
                            static_cast<QLineEdit*>(m_sentinelPassword), m_jump})
        connect(line, &QLineEdit::textChanged, this, &ConnectionForm::edited);
    connect(m_user, &QLineEdit::editingFinished, this, &ConnectionForm::url);
    connect(m_jump, &QLineEdit::editingFinished, this, [this] { showAddressState(url()); });
    connect(m_password, &QLineEdit::textEdited, this, [this] { m_storedPasswordKey.clear(); });
    connect(m_database, &QSpinBox::valueChanged, this, &ConnectionForm::edited);
    connect(m_tls, &QCheckBox::toggled, this, &ConnectionForm::onTlsToggled);
    for (FileField* file : {m_caFile, m_certFile, m_keyFile})
        connect(file, &FileField::changed, this, &ConnectionForm::edited);
    connect(m_environment, &QComboBox::currentTextChanged, this,
            [this] { m_badge->setLabel(environment()); });
    m_badge->setLabel({});
}

} // namespace lk
