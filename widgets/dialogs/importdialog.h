// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/servers/serverimport.h"

#include <QDialog>

class QLineEdit;

namespace lk {

class RecentServers;
class RememberBox;
class SecretStore;

/// Previews the import of another program's file: how many servers, what is left out, the group for
/// the servers, and whether their passwords go to the keyring. Other passwords are dropped; none is
/// written to a file.
class ImportDialog final : public QDialog
{
    Q_OBJECT

public:
    /// Both outlive the dialog.
    ImportDialog(ServerImport import, RecentServers& servers, SecretStore& secrets,
                 QWidget* parent = nullptr);

public slots:
    void accept() override;

private:
    int passwords() const;

    const ServerImport m_import;
    RecentServers& m_servers;
    SecretStore& m_secrets;
    QLineEdit* m_group;
    RememberBox* m_remember = nullptr; ///< null: there is no password
};

} // namespace lk
