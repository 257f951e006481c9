// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/secrets/keyring.h"

#include <QObject>

namespace lk {

/// What openKeyring() loads. Used by the main thread.
class KeychainPlugin final : public QObject, public KeyringPlugin
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID LockkeeperKeyringPlugin_iid)
    Q_INTERFACES(lk::KeyringPlugin)

public:
    std::unique_ptr<SecretStore> open() override;
};

} // namespace lk
