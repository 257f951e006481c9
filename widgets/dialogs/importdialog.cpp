// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialogs/importdialog.h"

#include "backend/secrets/secretstore.h"
#include "widgets/dialogs/recentservers.h"
#include "widgets/dialogs/rememberbox.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace lk {

namespace {

constexpr int mostNotes = 12;

} // namespace

ImportDialog::ImportDialog(ServerImport import, RecentServers& servers, SecretStore& secrets,
                           QWidget* parent)
    : QDialog(parent)
    , m_import(std::move(import))
    , m_servers(servers)
    , m_secrets(secrets)
    , m_group(new QLineEdit(tr("Imported")))
{
    setWindowTitle(tr("Import servers – Lockkeeper"));
    auto* title = new QLabel(tr("Import %n server(s)", nullptr, int(m_import.servers.size())));
    title->setFont(uiFont(TextSize::Title));
    auto* layout = columnIn(this, {16, 16, 16, 16}, 8, {title});
    const auto addText = [&](const QString& text) {
        auto* label = new QLabel(text);
        label->setTextFormat(Qt::PlainText); // a file's words are no markup
        label->setWordWrap(true);
        layout->addWidget(label);
    };
    for (const QString& note : m_import.notes.mid(0, mostNotes))
        addText(note);
    if (const qsizetype more = m_import.notes.size() - mostNotes; more > 0)
        addText(tr("%n more note(s)", nullptr, int(more)));
    auto* group = new QLabel(tr("&Group"));
    group->setBuddy(m_group);
    m_group->setMaxLength(80);
    layout->addWidget(group);
    layout->addWidget(m_group);
    if (const int count = passwords(); count > 0) {
        addText(tr("The file has %n password(s). Those that the keyring does not keep are dropped.",
                   nullptr, count));
        m_remember = new RememberBox(m_secrets);
        m_remember->setChecked(true);
        layout->addWidget(m_remember);
    }
    auto* buttons = new QDialogButtonBox;
    auto* cancel = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    cancel->setAutoDefault(false);
    auto* import_ = buttons->addButton(tr("&Import"), QDialogButtonBox::AcceptRole);
    import_->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &ImportDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addSpacing(8);
    layout->addWidget(buttons);
    setMinimumWidth(440);
    m_group->selectAll();
    m_group->setFocus();
}

int ImportDialog::passwords() const
{
    return int(
        std::count_if(m_import.servers.begin(), m_import.servers.end(),
                      [](const ImportedServer& server) { return !server.url.password.isEmpty(); }));
}

void ImportDialog::accept()
{
    QList<RecentServer> servers;
    for (const ImportedServer& server : m_import.servers) {
        servers.append(
            {server.url, server.name, server.environment, {}, m_group->text().simplified()});
        if (m_remember && m_remember->isChecked() && !server.url.password.isEmpty())
            m_secrets.write(secretKey(server.url), server.url.password, qApp,
                            [](const Result<void>&) {}); // not kept: it is asked for
    }
    m_servers.addAll(servers);
    QDialog::accept();
}

} // namespace lk
