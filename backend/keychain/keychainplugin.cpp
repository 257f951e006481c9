// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/keychain/keychainplugin.h"

#include "backend/keychain/keychainsecretstore.h"

namespace lk {

std::unique_ptr<SecretStore> KeychainPlugin::open()
{
    return std::make_unique<KeychainSecretStore>();
}

} // namespace lk
