// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/secrets/secretstore.h"

#include <QtPlugin>

#include <memory>

namespace lk {

/// A library that knows a keyring. It is loaded when a keyring is first needed, because it brings
/// D-Bus along, which the command line does not link.
class KeyringPlugin
{
public:
    virtual ~KeyringPlugin() = default;
    /// A store of its own for each caller, who deletes it before the program ends.
    virtual std::unique_ptr<SecretStore> open() = 0;
};

/// Beside the program, where it was built, then where it is installed. Needs a QCoreApplication.
QStringList keyringFolders();

/// The desktop's keyring. If the plugin is in none of the folders, or cannot be loaded, a store
/// that answers every question with an error, as on a desktop without a keyring; never null.
std::unique_ptr<SecretStore> openKeyring(const QStringList& folders = keyringFolders());

} // namespace lk

#define LockkeeperKeyringPlugin_iid "lockkeeper.KeyringPlugin/1"
Q_DECLARE_INTERFACE(lk::KeyringPlugin, LockkeeperKeyringPlugin_iid)
